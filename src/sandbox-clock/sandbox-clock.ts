import { recordAudit } from '../audit/audit-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { DAY_MS, type Instant } from '../domain/instant';
import { enqueueForWaitingCheckouts, enqueueForWaitingSubscriptions } from '../outbox/enqueue';
import {
  findBilledSubscriptionsWakingBy,
  findPastDueAtProviders,
} from '../subscriptions/billed-subscription-store';
import type { Actor } from '../tenancy/scope';
import type { ClockFollower } from './simulators-clock';
import { boundariesBetween, nextBoundary, type Boundary } from './boundaries';
import { MOST_STEPS, refuseTooManySteps } from './clock-steps';
import { isToBeTold, tellProvidersFirst } from './notify-providers-first';
import {
  findNextWake,
  lockClockOffset,
  readClockOffset,
  updateClockOffset,
} from '../clock/sandbox-clock-store';

/** How far ahead of real time a sandbox can be: enough for any contract, and all its dates can be stored. */
const FURTHEST_MS = 100 * 366 * DAY_MS;
/** Of what an advance fired, this many boundaries are listed. */
const LISTED = 1_000;

export interface ClockReading {
  /** The sandbox's time. */
  now: Instant;
  /** How far it is ahead of real time. */
  offsetMs: number;
}

type Advance = { to: Instant } | { by: 'next_boundary' };

/** The sandbox's own time, which only goes on. Production has none. */
export interface SandboxClock {
  /** @throws TollgateError sandbox_only */
  read(actor: Actor): Promise<ClockReading>;
  /**
   * Moves the clock and tells which boundaries lay on the way, the earliest first.
   *
   * @throws TollgateError sandbox_only, clock_backwards, clock_no_boundary, clock_too_many_steps, validation_failed when
   *   it is too far
   */
  advance(actor: Actor, advance: Advance): Promise<Advanced>;
}

interface Advanced extends ClockReading {
  fired: Boundary[];
  firedMore: boolean;
  /** Subscriptions whose simulated provider went on before it was told what was due; none without simulators. */
  untold: string[];
}

/** @param follow told after each advance, before it is answered, and after the providers were told what was due */
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
        const waking = await findBilledSubscriptionsWakingBy(trx, scope, now, MOST_STEPS + 1);
        // What happens next is the least that a clock can go.
        if ('to' in advance) refuseTooManySteps(waking, before, now);
        const all = boundariesBetween(waking, before, now, LISTED + 1);
        const [fired, firedMore] = [all.slice(0, LISTED), all.length > LISTED || waking.length > MOST_STEPS];
        await updateClockOffset(trx, scope, offsetMs, receivedAt);
        // Workflows sleep by the time they knew, also those whose boundary is still to come.
        await enqueueForWaitingSubscriptions(trx, scope);
        await enqueueForWaitingCheckouts(trx, scope);
        await recordAudit(trx, actor, {
          action: 'sandbox_clock.advanced',
          target: null,
          detail: {
            from: new Date(before).toISOString(),
            to: new Date(now).toISOString(),
            fired: fired.length,
          },
        });
        const telling = waking.filter((subscription) => isToBeTold(subscription, now));
        return { now, offsetMs, fired, firedMore, telling: telling.map(({ id }) => id) };
      });
      const { telling, ...clock } = advanced;
      if (follow === undefined) return { ...clock, untold: [] };
      const untold = await tellProvidersFirst(database, scope, telling, clock.now);
      await follow(clock.now);
      return { ...clock, untold };
    },
  };
}

function refuseProduction(actor: Actor): void {
  if (actor.scope.environment === 'sandbox') return;
  throw new TollgateError('sandbox_only', 'Production has no clock of its own.');
}

/** @throws TollgateError clock_no_boundary */
async function findNextBoundary(trx: DbTransaction, actor: Actor, now: Instant): Promise<Instant> {
  // A row whose step is overdue, and has not been taken yet, has its next boundary further on.
  const overdue = await findBilledSubscriptionsWakingBy(trx, actor.scope, now, LISTED);
  const pastDue = await findPastDueAtProviders(trx, actor.scope, LISTED);
  const candidates = [
    await findNextWake(trx, actor.scope, now),
    ...[...overdue, ...pastDue].map((subscription) => nextBoundary(subscription, now)),
  ].filter((candidate) => candidate !== null);
  if (candidates.length === 0) {
    throw new TollgateError(
      'clock_no_boundary',
      'The sandbox has no subscription or checkout that time will change.',
    );
  }
  return Math.min(...candidates);
}

function assertReachable(target: Instant, before: Instant, realNow: Instant): void {
  if (target < before) {
    throw new TollgateError(
      'clock_backwards',
      `The sandbox’s time is ${new Date(before).toISOString()} already.`,
    );
  }
  if (target - realNow > FURTHEST_MS) {
    throw new TollgateError('validation_failed', '/to: lies more than 100 years ahead', {
      errors: [{ pointer: '/to', message: 'lies more than 100 years ahead', fix: 'Send an earlier time.' }],
    });
  }
}
