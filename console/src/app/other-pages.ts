import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session';

const channel = new BroadcastChannel('tollgate.session');

/** Notifies the other open pages of this browser of a sign-in or sign-out, because they share the session. */
export function announceSession(): void {
  channel.postMessage('session');
}

/** Reads the session again whenever another page reports a sign-in or sign-out. */
export function useSessionElsewhere(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const ask = () => void queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
    channel.addEventListener('message', ask);
    return () => channel.removeEventListener('message', ask);
  }, [queries]);
}
