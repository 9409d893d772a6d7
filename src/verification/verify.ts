import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/scope';
import { listScopes } from '../tenancy/workspace-list-store';
import {
  allowLongStatements,
  counterDifferences,
  countUsage,
  creditDifferences,
  eventDifferences,
  type UsageTotals,
} from './verification-store';

/** What the verifier found in one workspace's environment. */
export interface Verification extends UsageTotals {
  scope: WorkspaceScope;
  /** How many rows break a promise; 0 is what there should be. */
  differences: number;
  /** The first differences of each kind, in words. */
  examples: string[];
}

/**
 * Compares what is stored twice, for every workspace and environment: counters with the events behind them, what is
 * left of credits with what was granted and taken, and each event with its own deductions. The database does the
 * sums; one workspace's result is in memory at a time.
 *
 * @param database with a role that row-level security binds
 */
export async function* verifyAll(database: Database): AsyncGenerator<Verification, void> {
  for (const scope of await listScopes(database)) yield await verifyWorkspace(database, scope);
}

async function verifyWorkspace(database: Database, scope: WorkspaceScope): Promise<Verification> {
  return inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await allowLongStatements(trx);
    const totals = await countUsage(trx, scope);
    const findings = [
      await counterDifferences(trx, scope),
      await creditDifferences(trx, scope),
      await eventDifferences(trx, scope),
    ];
    return {
      scope,
      ...totals,
      differences: findings.reduce((sum, finding) => sum + finding.count, 0),
      examples: findings.flatMap((finding) => finding.examples),
    };
  });
}
