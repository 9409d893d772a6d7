import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session';
import { useSessionElsewhere } from './other-pages';
import { router } from './router';

/** Redirects to the sign-in, and back afterwards, when the session ends while a page is open. */
export function SessionGuard() {
  const { data } = useQuery({ ...sessionQuery, enabled: false });
  useSessionElsewhere();
  useEffect(() => {
    if (data !== null) return;
    const { pathname, href } = router.state.location;
    if (pathname === '/sign-in' || /^\/(invite|reset)\b/.test(pathname)) return;
    void router.navigate({ to: '/sign-in', search: { next: href }, replace: true, ignoreBlocker: true });
  }, [data]);
  return null;
}
