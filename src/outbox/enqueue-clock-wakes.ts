import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Enqueues a signal for every workflow of an advanced sandbox that waits for an instant. The signal is sent when that
 * instant comes by the new clock, or at once if it has passed: the workflow's running timer was set by the old clock
 * and fires too late.
 *
 * The jobs have their own keys, so that a later advance replaces those still waiting, and no other signal of the same
 * workflow is delayed.
 *
 * @param now real time
 * @param offsetMs how far the sandbox is ahead of real time
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

/** An ended subscription may still wait for its provider's answer; an incomplete one's time is kept by its checkout. */
const WAKE_SUBSCRIPTIONS = `
  SELECT tollgate.enqueue_each(
           'poke-subscription',
           array_agg(json_build_object('workspaceId', workspace_id, 'environment', environment, 'subscriptionId', id)),
           array_agg('clock/subscription/' || environment || '/' || id),
           array_agg(greatest(:now::timestamptz, next_wake_at - :offsetMs * interval '1 millisecond')))
    FROM tollgate.subscriptions
   WHERE workspace_id = :workspaceId AND environment = :environment
     AND status <> 'incomplete' AND next_wake_at IS NOT NULL`;

/** A checkout that has ended here may still have to be ended at its provider. */
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
