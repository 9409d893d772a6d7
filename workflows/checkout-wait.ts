import type { Instant } from '../src/domain/instant';
import type { CheckoutView } from './activity-types';

/** What a checkout's workflow does next, and when. */
interface CheckoutWait {
  task: 'expire' | 'create' | 'settle';
  /** The workflow's own time. */
  until: Instant;
  expiresAt: Instant;
  /** How far the workspace's time is ahead of the workflow's, in milliseconds. */
  clockOffset: number;
  /** A sentence. */
  why: string;
}

const WHY: Record<CheckoutWait['task'], string> = {
  expire: 'The unpaid checkout expires.',
  create: 'The payment provider is asked again to make the checkout.',
  settle: 'The payment provider is read for the checkout.',
};

/**
 * Returns null if nothing remains to be done.
 *
 * @param pausedUntil before this time the provider is not called (the workflow's own time)
 */
export function checkoutWait(view: CheckoutView | null, pausedUntil: Instant): CheckoutWait | null {
  if (view === null) return null;
  const { open, expiresAt, clockOffset, atProvider } = view;
  if (atProvider === undefined) {
    if (!open) return null;
    return { task: 'expire', until: expiresAt - clockOffset, expiresAt, clockOffset, why: WHY.expire };
  }
  if (atProvider === null) return null;
  const { task, at } = atProvider;
  return { task, until: Math.max(at - clockOffset, pausedUntil), expiresAt, clockOffset, why: WHY[task] };
}

/** Describes the wait for operators. */
export function checkoutDetails({ task, expiresAt }: CheckoutWait): string {
  const deadline = new Date(expiresAt).toISOString();
  return task === 'create' ? 'Waits for the provider to make it' : `Waits for payment until ${deadline}`;
}
