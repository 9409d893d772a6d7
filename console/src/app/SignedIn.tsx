import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/session';

/**
 * What stands behind the sign-in: nothing, once the session has ended and until the sign-in is there. It belongs to one
 * operator: for another who has signed in meanwhile it is loaded anew.
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
