import type { Transaction } from '../../db/pools';
import { DAY_MS, type Instant } from '../../domain/instant';
import type { WorkspaceScope } from '../../tenancy/scope';
import { DEMO_CUSTOMERS } from './demo-customers';

/** Puts the demo's subscriptions into the states that their customers are there to show. */
export async function endDemoSubscriptions(
  trx: Transaction,
  scope: WorkspaceScope,
  now: Instant,
): Promise<void> {
  for (const { externalId, ends } of DEMO_CUSTOMERS) {
    if (ends === undefined) continue;
    const at = new Date(now - ends.daysAgo * DAY_MS);
    await trx('tollgate.subscriptions as s')
      .where({ 's.workspace_id': scope.workspaceId, 's.environment': scope.environment })
      .whereIn(
        's.customer_id',
        trx('tollgate.customers').select('id').where({
          workspace_id: scope.workspaceId,
          environment: scope.environment,
          external_id: externalId,
        }),
      )
      .update({
        status: ends.status,
        updated_at: at,
        ...(ends.status === 'past_due' ? { past_due_since: at } : { cancelled_at: at, next_wake_at: null }),
      });
  }
}
