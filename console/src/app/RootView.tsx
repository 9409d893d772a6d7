import { Outlet } from '@tanstack/react-router';
import { LeaveGuard } from './LeaveGuard';

/** Every view, and the question before one is left. */
export function RootView() {
  return (
    <>
      <Outlet />
      <LeaveGuard />
    </>
  );
}
