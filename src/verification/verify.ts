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

/** The verifier's result for one environment of a workspace. */
export interface Verification extends UsageTotals, BillingTotals {
  scope: WorkspaceScope;
  /** How many rows break an invariant; 0 is expected. */
  differences: number;
  /** The first differences of each kind, as text. */
  examples: string[];
}

type Check = (trx: DbTransaction, scope: WorkspaceScope) => Promise<Finding>;

const CHECKS: readonly Check[] = [
  // First, because they compare jobs with the time at which the transaction began.
  undecidedOperations,
  unsentOperations,
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
];

/**
 * Compares redundant data, for every workspace and environment:
 * - counters with the events behind them, including those of entities; remaining credits with grants and deductions;
 * - each event with its own deductions, and rolled-up usage with its events and reversals;
 * - alerts with each other, with counters and with grants;
 * - transactions with their lines, tax and payments, payments with their refunds, and settlements with both;
 * - subscriptions with the periods they were charged for, and with their due and wake-up times.
 *
 * Also finds operations of an earlier version that never ended, and open operations without a job. The database
 * computes the sums; one workspace's result is in memory at a time.
 *
 * @param database with a role that row-level security applies to
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
