import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session';

const channel = new BroadcastChannel('tollgate.session');

/** Tells the other open pages of this browser that somebody has signed in: they share the session. */
export function announceSignIn(): void {
  channel.postMessage('signed-in');
}

/** Asks who is signed in whenever another page says that somebody has. */
export function useSignInElsewhere(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const ask = () => void queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
    channel.addEventListener('message', ask);
    return () => channel.removeEventListener('message', ask);
  }, [queries]);
}
