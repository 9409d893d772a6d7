import { isFormOpen } from '../app/open-forms';
import type { SessionOverview } from './resources';

/** Whether the session has ended while a form is open, and a dialog asks the operator to sign in again. */
let isAsking = false;
const listeners = new Set<() => void>();

function setAsking(next: boolean): void {
  isAsking = next;
  for (const listener of listeners) listener();
}

/** Returns whether the dialog asks to sign in again. A snapshot for `useSyncExternalStore`. */
export function isSignInAsked(): boolean {
  return isAsking;
}

export function onSignInAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Closes the sign-in dialog over the page. */
export function stopAsking(): void {
  if (isAsking) setAsking(false);
}

/**
 * Returns the page's session after it has ended: null, which leads to the sign-in; or, if a form is open, still the
 * operator, who is asked to sign in over it.
 *
 * @param before the session the page knew
 */
export function afterEnd(before: SessionOverview | null | undefined): SessionOverview | null {
  if (before === null || before === undefined) return null;
  if (!isAsking && !isFormOpen()) return null;
  if (!isAsking) setAsking(true);
  return before;
}
