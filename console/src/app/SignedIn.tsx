import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { sessionQuery } from '../api/session';

/** What stands behind the sign-in: nothing, once the session has ended and until the sign-in is there. */
export function SignedIn() {
  const { data } = useQuery({ ...sessionQuery, enabled: false });
  return data === null ? null : <Outlet />;
}
