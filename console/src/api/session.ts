import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { config } from './config';
import { ProblemError } from './problem';
import type { Organization, SessionOverview } from './resources';
import { afterEnd, stopAsking } from './session-end';

const queryKey = ['session'];

/** The signed-in operator, with their organizations; null if there is none. */
export const sessionQuery = queryOptions({
  queryKey,
  queryFn: async ({ client }): Promise<SessionOverview | null> => {
    try {
      const session = await bodyOf(api.GET('/api/auth/session'));
      stopAsking();
      return session;
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 401)
        return afterEnd(client.getQueryData<SessionOverview | null>(queryKey));
      throw error;
    }
  },
  // Without a session cookie the answer is known.
  ...(!config.hasSession && { initialData: null }),
  staleTime: 60_000,
});

/** Returns the signed-in operator. For pages behind the sign-in. */
export function useSession(): SessionOverview {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('Nobody is signed in.');
  return data;
}

/** Returns whether the operator can only set up a second factor there, because the organization requires one. */
export function mustEnrol(session: SessionOverview, organization: Organization): boolean {
  return organization.requireSecondFactor && !session.secondFactor.enrolled;
}
