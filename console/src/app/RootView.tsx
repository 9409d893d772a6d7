import { Outlet } from '@tanstack/react-router';
import { LeaveGuard } from './LeaveGuard';

/** The root of every view, with the guard against leaving unsaved input. */
export function RootView() {
  return (
    <>
      <Outlet />
      <LeaveGuard />
    </>
  );
}
