import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { listScopes } from '../db/workspace-list-store';
import { allowLongStatements, type Finding } from './finding-store';
import {
  countBilling,
  disputeDifferences,
  lineDifferences,
  paidDifferences,
  paymentDifferences,
  settlementDifferences,
  settlementLineDifferences,
  taxDifferences,
  totalDifferences,
  unpaidPeriods,
  type BillingTotals,
} from './money-verification-store';
import {
  currentPeriodDifferences,
  dueDifferences,
  tilingDifferences,
  wakeDifferences,
} from './period-verification-store';
import { entityDifferences } from './entity-verification-store';
import {
  counterDifferences,
  countUsage,
  creditDifferences,
  eventDifferences,
  reservationDifferences,
  reversalDifferences,
  type UsageTotals,
} from './usage-verification-store';
import {
  customerDayDifferences,
  customerMonthDifferences,
  customerSumDifferences,
  dimensionDifferences,
  foreignRollups,
  quarterDifferences,
  valueDayDifferences,
  valueQuarterDifferences,
} from './rollup-verification-store';
import { forgottenAlerts, repeatedAlerts, repeatedCreditAlerts } from './alert-verification-store';
import { undecidedOperations, unsentOperations } from './operation-verification-store';
import { workflowDifferences, type WorkflowCheck } from './workflow-verification';

/** What the verifier found in one workspace's environment. */
export interface Verification extends UsageTotals, BillingTotals {
  scope: WorkspaceScope;
  /** How many rows break a promise; 0 is what there should be. */
  differences: number;
  /** The first differences of each kind, in words. */
  examples: string[];
}

type Check = (trx: DbTransaction, scope: WorkspaceScope) => Promise<Finding>;

const CHECKS: readonly Check[] = [
  counterDifferences,
  entityDifferences,
  creditDifferences,
  eventDifferences,
  reversalDifferences,
  foreignRollups,
  quarterDifferences,
  customerDayDifferences,
  customerMonthDifferences,
  customerSumDifferences,
  valueQuarterDifferences,
  valueDayDifferences,
  dimensionDifferences,
  reservationDifferences,
  repeatedAlerts,
  forgottenAlerts,
  repeatedCreditAlerts,
  lineDifferences,
  totalDifferences,
  taxDifferences,
  paidDifferences,
  paymentDifferences,
  settlementDifferences,
  settlementLineDifferences,
  disputeDifferences,
  unpaidPeriods,
  tilingDifferences,
  currentPeriodDifferences,
  dueDifferences,
  wakeDifferences,
  undecidedOperations,
  unsentOperations,
];

/**
 * Compares what is stored twice, for every workspace and environment: counters with the events behind them, what is
 * left of credits with what was granted and taken, counters of entities with theirs, each event with its own deductions, the sums of usage with the events and
 * reversals that are in them, alerts with each other, with counters and with grants; transactions with their lines,
 * tax and payments, payments with their refunds, settlements with both, and subscriptions with the periods they were
 * charged for and with when they are due and wake. Also finds operations of an earlier version that never ended, and
 * open operations without a job. The database does the sums; one workspace's result is in memory at a time.
 *
 * @param database with a role that row-level security binds
 * @param workflows also compares open subscriptions and checkouts with their workflows
 */
export async function* verifyAll(
  database: Database,
  workflows?: WorkflowCheck,
): AsyncGenerator<Verification, void> {
  for (const scope of await listScopes(database)) yield await verifyWorkspace(database, scope, workflows);
}

async function verifyWorkspace(
  database: Database,
  scope: WorkspaceScope,
  workflows: WorkflowCheck | undefined,
): Promise<Verification> {
  const { totals, findings } = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await allowLongStatements(trx);
    const found: Finding[] = [];
    for (const check of CHECKS) found.push(await check(trx, scope));
    return {
      totals: { ...(await countUsage(trx, scope)), ...(await countBilling(trx, scope)) },
      findings: found,
    };
  });
  if (workflows !== undefined) findings.push(await workflowDifferences(database, scope, workflows));
  return {
    scope,
    ...totals,
    differences: findings.reduce((sum, finding) => sum + finding.count, 0),
    examples: findings.flatMap((finding) => finding.examples),
  };
}
