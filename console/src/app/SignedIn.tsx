import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/session';

/**
 * Everything behind the sign-in; empty from the end of the session until the sign-in is shown. It belongs to one
 * operator: if another one has signed in, the page is reloaded.
 */
export function SignedIn() {
  const { data } = useQuery({ ...sessionQuery, enabled: false });
  const [operatorId] = useState(data?.operator.id);
  const isAnother = data?.operator.id !== undefined && data.operator.id !== operatorId;
  useEffect(() => {
    if (isAnother) window.location.reload();
  }, [isAnother]);
  return data === null || isAnother ? null : <Outlet />;
}
