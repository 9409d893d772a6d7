import { isFormOpen } from '../app/open-forms';
import type { SessionOverview } from './resources';

/** Whether the session has ended under a form, and a dialog asks the operator to sign in again. */
let isAsking = false;
const listeners = new Set<() => void>();

function put(next: boolean): void {
  isAsking = next;
  for (const listener of listeners) listener();
}

/** As `useSyncExternalStore` wants it. */
export function isSignInAsked(): boolean {
  return isAsking;
}

export function onSignInAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The sign-in is no longer asked for over the page. */
export function stopAsking(): void {
  if (isAsking) put(false);
}

/**
 * What the page goes by once its session has ended: nobody, which leads to the sign-in; or, where a form is open, still the
 * operator, who is asked to sign in over it.
 *
 * @param before who was signed in, as the page knows
 */
export function afterEnd(before: SessionOverview | null | undefined): SessionOverview | null {
  if (before === null || before === undefined) return null;
  if (!isAsking && !isFormOpen()) return null;
  if (!isAsking) put(true);
  return before;
}
