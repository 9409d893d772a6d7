import type { z } from 'zod';
import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { Statement, StatementResult } from '../db/statement-group';
import { decideAccess } from '../domain/access';
import type { Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { checkJson, sharedMembers } from './decision-json';
import { lookBack } from './look-back';
import type { checkSchema } from './usage-answer-schema';
import { readContext, type ContextRow, type Pair } from './usage-context-store';
import { UsageState } from './usage-state';

type Check = z.output<typeof checkSchema>;

/** What a check answers about a feature, whoever asks and for how much. */
export type PreviewedCheck = Omit<
  Check,
  'status' | 'decisionId' | 'externalId' | 'quantity' | 'reservationId' | 'reservationExpiresAt'
>;

/**
 * What checks of the features would answer now, in their order: read and decided as check does it, and not written.
 *
 * @param pairs customers and features that exist
 * @param receivedAt real time
 */
export async function previewChecks(
  trx: DbTransaction,
  scope: WorkspaceScope,
  pairs: readonly Pair[],
  quantity: Decimal,
  receivedAt: Instant,
): Promise<PreviewedCheck[]> {
  if (pairs.length === 0) return [];
  const [context] = await together(trx, [contextCall(scope, pairs, receivedAt)]);
  const state = new UsageState(pairs, context, receivedAt);
  const read = async (statement: Statement): Promise<StatementResult['rows']> => {
    const [rows] = await together(trx, [{ ...statement, read: (found: StatementResult['rows']) => found }]);
    return rows;
  };
  await lookBack(scope, state.datedUses([]), [], read);
  return pairs.map((pair) => {
    const found = state.find(pair);
    if (found === undefined || found.feature === null)
      throw new Error(`There is no feature ${pair.feature}.`);
    const decision = decideAccess(state.question(pair, found.feature, found.at(null), quantity));
    const call = { ...pair, ...ABOUT_NOBODY, quantity };
    // Its text is the only place that says what the members of an answer are.
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

function figuresOf(check: Check): PreviewedCheck {
  const { allowed, reason, feature, usage, quota, remaining, unlimited, enforcement } = check;
  const { rollover, reserved, creditBalance, overage, period, plan, subscriptionId } = check;
  return {
    ...{ allowed, reason, feature, usage, quota, remaining, unlimited, enforcement },
    ...{ rollover, reserved, creditBalance, overage, period, plan, subscriptionId },
  };
}

function contextCall(scope: WorkspaceScope, pairs: readonly Pair[], now: Instant): Call<ContextRow[]> {
  return { ...readContext(scope, pairs, now), read: (rows) => rows as ContextRow[] };
}
