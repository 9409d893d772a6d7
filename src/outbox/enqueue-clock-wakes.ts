import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Enqueues a signal for every workflow of an advanced sandbox that waits for an instant. It is sent when that instant
 * comes by the clock as it is now, at once where it has come: the workflow's running timer was set by the clock as it
 * was, and rings too late.
 *
 * The jobs have keys of their own. A later advance replaces those that still wait, and no other signal of the same
 * workflow is put off.
 *
 * @param now real time
 * @param offsetMs how far the sandbox is ahead of it
 */
export async function enqueueClockWakes(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  now: Instant,
  offsetMs: number,
): Promise<void> {
  const values = { workspaceId, environment, now: new Date(now), offsetMs };
  await trx.raw(WAKE_SUBSCRIPTIONS, values);
  await trx.raw(WAKE_CHECKOUTS, values);
}

/** An ended subscription can still wait for its provider's answer; the time of an incomplete one is its checkout's to keep. */
const WAKE_SUBSCRIPTIONS = `
  SELECT tollgate.enqueue_each(
           'poke-subscription',
           array_agg(json_build_object('workspaceId', workspace_id, 'environment', environment, 'subscriptionId', id)),
           array_agg('clock/subscription/' || environment || '/' || id),
           array_agg(greatest(:now::timestamptz, next_wake_at - :offsetMs * interval '1 millisecond')))
    FROM tollgate.subscriptions
   WHERE workspace_id = :workspaceId AND environment = :environment
     AND status <> 'incomplete' AND next_wake_at IS NOT NULL`;

/** One that has ended here may still have to be ended at its provider. */
const WAKE_CHECKOUTS = `
  SELECT tollgate.enqueue_each(
           'poke-checkout',
           array_agg(json_build_object('workspaceId', workspace_id, 'environment', environment, 'checkoutId', id)),
           array_agg('clock/checkout/' || environment || '/' || id),
           array_agg(greatest(:now::timestamptz,
                              coalesce(next_wake_at, expires_at) - :offsetMs * interval '1 millisecond')))
    FROM tollgate.checkouts
   WHERE workspace_id = :workspaceId AND environment = :environment
     AND (status = 'open' OR next_wake_at IS NOT NULL)`;
