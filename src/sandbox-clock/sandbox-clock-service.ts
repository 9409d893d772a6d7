import { recordAudit } from '../audit/audit-store';
import { hasConnection } from '../connections/connection-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { DAY_MS, type Instant } from '../domain/instant';
import { enqueueClockWakes } from '../outbox/enqueue-clock-wakes';
import {
  findBilledSubscriptionsWakingBy,
  findPastDueAtProviders,
} from '../subscriptions/billed-subscription-store';
import type { Actor } from '../tenancy/actor';
import type { ClockFollower } from './simulators-clock';
import { boundariesBetween, nextBoundary, type Boundary } from './boundaries';
import { MAX_STEPS, assertStepLimit } from './step-limit';
import { isProviderCallDue, waitForProviderCalls } from './wait-for-provider-calls';
import {
  findNextWake,
  lockClockOffset,
  readClockOffset,
  updateClockOffset,
} from '../clock/sandbox-clock-store';

/** Furthest that a sandbox can be ahead of real time: longer than any contract, and within what Postgres stores. */
const MAX_OFFSET_MS = 100 * 366 * DAY_MS;
/** Maximum number of boundaries that an advance lists in `fired`. */
const MAX_LISTED_BOUNDARIES = 1_000;

export interface ClockReading {
  /** The sandbox's time. */
  now: Instant;
  /** How far it is ahead of real time. */
  offsetMs: number;
}

type Advance = { to: Instant } | { by: 'next_boundary' };

/** The sandbox's own clock. It only moves forward. Production has none. */
export interface SandboxClock {
  /** @throws TollgateError sandbox_only */
  read(actor: Actor): Promise<ClockReading>;
  /**
   * Advances the clock and lists the boundaries it passed, earliest first.
   *
   * @throws TollgateError sandbox_only, clock_backwards, clock_no_boundary, clock_too_many_steps, validation_failed if
   *   it is too far
   */
  advance(actor: Actor, advance: Advance): Promise<AdvanceResult>;
}

interface AdvanceResult extends ClockReading {
  fired: Boundary[];
  firedMore: boolean;
  /** Subscriptions whose provider call was still outstanding when the simulators' clock moved; empty if it did not. */
  awaitingProviderCalls: string[];
}

/**
 * @param follow called after each advance of a sandbox with a provider connection, once the due provider calls are made
 *   and before the advance is answered. The simulators have one clock for all sandboxes: one that has nothing to do
 *   with them would take the time of the others' subscriptions away.
 */
export function createSandboxClock(database: Database, follow?: ClockFollower): SandboxClock {
  return {
    async read(actor) {
      refuseProduction(actor);
      const offsetMs = await inWorkspace(database, actor.scope, actor.reason, (trx) =>
        readClockOffset(trx, actor.scope),
      );
      return { now: actor.receivedAt + offsetMs, offsetMs };
    },

    async advance(actor, advance) {
      refuseProduction(actor);
      const { scope, receivedAt } = actor;
      const advanced = await inWorkspace(database, scope, actor.reason, async (trx) => {
        const before = receivedAt + (await lockClockOffset(trx, scope, receivedAt));
        const now = 'to' in advance ? advance.to : await findNextBoundary(trx, actor, before);
        assertReachable(now, before, receivedAt);
        const offsetMs = now - receivedAt;
        const waking = await findBilledSubscriptionsWakingBy(trx, scope, now, MAX_STEPS + 1);
        // `next_boundary` is the smallest possible advance, so it is never refused.
        if ('to' in advance) assertStepLimit(waking, before, now);
        const all = boundariesBetween(waking, before, now, MAX_LISTED_BOUNDARIES + 1);
        const [fired, firedMore] = [
          all.slice(0, MAX_LISTED_BOUNDARIES),
          all.length > MAX_LISTED_BOUNDARIES || waking.length > MAX_STEPS,
        ];
        await updateClockOffset(trx, scope, offsetMs, receivedAt);
        await enqueueClockWakes(trx, scope, receivedAt, offsetMs);
        await recordAudit(trx, actor, {
          action: 'sandbox_clock.advanced',
          target: null,
          detail: {
            from: new Date(before).toISOString(),
            to: new Date(now).toISOString(),
            fired: fired.length,
          },
        });
        const calling = waking.filter((subscription) => isProviderCallDue(subscription, now));
        const isConnected = await hasConnection(trx, scope);
        return { now, offsetMs, fired, firedMore, isConnected, callingIds: calling.map(({ id }) => id) };
      });
      const { callingIds, isConnected, ...clock } = advanced;
      if (follow === undefined || !isConnected) return { ...clock, awaitingProviderCalls: [] };
      const awaitingProviderCalls = await waitForProviderCalls(database, scope, callingIds, clock.now);
      await follow(clock.now);
      return { ...clock, awaitingProviderCalls };
    },
  };
}

function refuseProduction(actor: Actor): void {
  if (actor.scope.environment === 'sandbox') return;
  throw new TollgateError('sandbox_only', 'Only the sandbox has a clock that can be advanced.');
}

/** @throws TollgateError clock_no_boundary */
async function findNextBoundary(trx: DbTransaction, actor: Actor, now: Instant): Promise<Instant> {
  // A row with an overdue step still has that step as its wake, so its next boundary is computed.
  const overdue = await findBilledSubscriptionsWakingBy(trx, actor.scope, now, MAX_LISTED_BOUNDARIES);
  const pastDue = await findPastDueAtProviders(trx, actor.scope, MAX_LISTED_BOUNDARIES);
  const candidates = [
    await findNextWake(trx, actor.scope, now),
    ...[...overdue, ...pastDue].map((subscription) => nextBoundary(subscription, now)),
  ].filter((candidate) => candidate !== null);
  if (candidates.length === 0) {
    throw new TollgateError(
      'clock_no_boundary',
      'The sandbox has no subscription or checkout that is waiting for a later time.',
    );
  }
  return Math.min(...candidates);
}

function assertReachable(target: Instant, before: Instant, realNow: Instant): void {
  if (target < before) {
    throw new TollgateError(
      'clock_backwards',
      `The sandbox’s time is already ${new Date(before).toISOString()}.`,
    );
  }
  if (target - realNow > MAX_OFFSET_MS) {
    throw new TollgateError('validation_failed', '/to: lies more than 100 years ahead', {
      errors: [{ pointer: '/to', message: 'lies more than 100 years ahead', fix: 'Send an earlier time.' }],
    });
  }
}
