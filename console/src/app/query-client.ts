import { MutationCache, notifyManager, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { invalidate } from '../api/invalidate';
import { isNotFound, ProblemError } from '../api/problem';
import type { SessionOverview } from '../api/resources';
import { sessionQuery } from '../api/session';
import { afterEnd } from '../api/session-end';
import { afterPress } from '../../../portal/src/after-press.ts';

/** Refusals that may come from changes that the page has not read: of the role, the membership, or what is required. */
const STALE_SESSION_CODES = ['role_forbidden', 'organization_forbidden', 'second_factor_enrolment_required'];

/**
 * Handles the end of a session, here or on another page: redirects to the sign-in, or asks for it over an open form.
 * After a refusal of `STALE_SESSION_CODES`, the session is read again: the buttons then show the reason, and who is no
 * longer a member, or has to set up a second factor, is redirected.
 */
function leaveOnEndedSession(error: unknown): void {
  if (!(error instanceof ProblemError)) return;
  const { code } = error.problem;
  if (code === 'session_required')
    queryClient.setQueryData<SessionOverview | null>(sessionQuery.queryKey, (before) => afterEnd(before));
  if (STALE_SESSION_CODES.includes(code)) void invalidate(queryClient, [sessionQuery.queryKey]);
}

/** What a page shows, and somebody else may delete. */
const DELETABLE = [['plan'], ['webhook-endpoint']];

/** Discards what was deleted, so that its page says that it does not exist. */
function forgetDeleted(error: unknown, query: Query<unknown, unknown>): void {
  const isDeletable = DELETABLE.some(([kind]) => kind === query.queryKey[0]);
  if (isDeletable && isNotFound(error) && query.state.data !== undefined) query.reset();
}

/**
 * Returns whether a retry may help: the service was not reached, or was busy. A request that timed out has already
 * waited long enough.
 */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { code, status } = error.problem;
  return code !== 'no_answer' && (status === 0 || status >= 502);
}

// Notifies at once instead of with a timer, because a second click could come before the button is shown as busy. What
// an answer changes while the pointer presses something is shown after the press, so that it cannot move what is pressed.
// What a component sets itself is not delayed.
notifyManager.setScheduler(afterPress);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      leaveOnEndedSession(error);
      forgetDeleted(error, query);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      leaveOnEndedSession(error);
      if (isNotFound(error)) void invalidate(queryClient, DELETABLE);
    },
  }),
  defaultOptions: {
    // Without a connection, mutations fail at once. Otherwise they would be sent later, when the user no longer expects
    // it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // Must be set, because the library turns it off in this network mode.
      refetchOnReconnect: true,
      staleTime: 5_000,
      // A list keeps its pages, and so its scroll position, after it was left.
      gcTime: 30 * 60_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
    },
  },
});

// Each of its pages reads up to 25 subscriptions at the provider, so it is read only on request.
queryClient.setQueryDefaults(['connection-drift'], { staleTime: Infinity });
