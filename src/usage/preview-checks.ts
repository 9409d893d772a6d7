import type { z } from 'zod';
import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { decideAccess } from '../domain/access';
import type { Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { checkJson, sharedMembers } from './decision-json';
import { lookBack, type ReadTogether } from './look-back';
import { lookUpEntities } from './look-up-entities';
import { NamedReservations } from './named-reservations';
import type { checkSchema } from './usage-answer-schema';
import type { UsageCall } from './usage-call';
import { readContext, type Pair } from './usage-context-store';
import { UsageState } from './usage-state';
import { datedUses, entityAsks } from './uses-to-look-up';

type Check = z.output<typeof checkSchema>;

/** A check's answer about a feature, without what depends on the individual request. */
export type PreviewedCheck = Omit<
  Check,
  'status' | 'decisionId' | 'externalId' | 'quantity' | 'reservationId' | 'reservationExpiresAt'
>;

/**
 * Returns what checks of the features would answer now, in order. Reads and decides like a check, but writes nothing.
 *
 * @param pairs customers and features that exist
 * @param use number of units, and the customer's entity that would use them
 * @param receivedAt real time
 */
export async function previewChecks(
  trx: DbTransaction,
  scope: WorkspaceScope,
  pairs: readonly Pair[],
  use: { quantity: Decimal; entity: string | null },
  receivedAt: Instant,
): Promise<PreviewedCheck[]> {
  if (pairs.length === 0) return [];
  const [context] = await together(trx, [readContext(scope, pairs, receivedAt)]);
  const state = new UsageState(pairs, context, receivedAt);
  const read: ReadTogether = (named) => together(trx, named);
  await lookBack(scope, datedUses(state, []), [], read);
  const calls = pairs.map((pair): UsageCall => ({ ...pair, ...ABOUT_NOBODY, ...use }));
  await lookUpEntities(scope, entityAsks(state, calls, NO_RESERVATIONS), state, read);
  return calls.map((call) => {
    const found = state.find(call);
    if (found === undefined || found.feature === null)
      throw new Error(`There is no feature ${call.feature}.`);
    const sources = state.sourcesFor(found, call.entity, null);
    const decision = decideAccess(state.question(call, found, found.feature, sources, call.quantity));
    // Only this text defines the members of an answer.
    return figuresOf(JSON.parse(checkJson(decision, '', sharedMembers(call, decision))) as Check);
  });
}

const ABOUT_NOBODY = {
  operation: 'check',
  source: '',
  timestamp: null,
  properties: null,
  reserve: null,
  reservationId: null,
  claim: null,
  requestId: '',
} as const;

const NO_RESERVATIONS = new NamedReservations([], 0);

function figuresOf(check: Check): PreviewedCheck {
  const { allowed, reason, feature, usage, quota, remaining, unlimited, enforcement } = check;
  const { rollover, reserved, creditBalance, overage, period, plan, subscriptionId, entity } = check;
  return {
    allowed,
    reason,
    feature,
    usage,
    quota,
    remaining,
    unlimited,
    enforcement,
    rollover,
    reserved,
    creditBalance,
    overage,
    period,
    plan,
    subscriptionId,
    ...(entity === undefined ? {} : { entity }),
  };
}
