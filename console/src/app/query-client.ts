import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../api/problem';
import type { SessionOverview } from '../api/resources';
import { sessionQuery } from '../api/session';
import { afterEnd } from '../api/session-end';

/**
 * A session that has ended, here or on another page, leads to the sign-in wherever it shows, or has it asked for over an
 * open form; and an organization that now requires a second factor leads to the account.
 */
function leaveOnEndedSession(error: unknown): void {
  if (!(error instanceof ProblemError)) return;
  const { code } = error.problem;
  if (code === 'session_required')
    queryClient.setQueryData<SessionOverview | null>(sessionQuery.queryKey, (before) => afterEnd(before));
  if (code === 'second_factor_enrolment_required')
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** What is worth a second attempt: the service was not reached, or was busy. One without an answer was waited for already. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { code, status } = error.problem;
  return code !== 'no_answer' && (status === 0 || status >= 502);
}

// At once, not with a timer, before which a second click could come: a button is busy by then.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveOnEndedSession }),
  mutationCache: new MutationCache({ onError: leaveOnEndedSession }),
  defaultOptions: {
    // Without a connection it is said at once, and nothing is sent later that nobody waits for any more.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // A list that was left keeps its pages, and so its place.
      gcTime: 30 * 60_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
    },
  },
});

// Each page of it reads up to 25 subscriptions at the provider: only when somebody asks.
queryClient.setQueryDefaults(['connection-drift'], { staleTime: Infinity });
