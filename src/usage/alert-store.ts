import { plainArray } from '../db/parameters';
import type { Statement } from '../db/pipeline';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** A customer that was notified of low credits, and the grants that the notification covered. */
export interface AlertedCredits {
  customerId: string;
  grantIds: readonly string[];
}

/**
 * Marks the grants, so that they do not notify again. Used-up grants are marked too, because a reversal may return
 * credits to one. A grant created in the meantime is neither, and stays unmarked.
 *
 * @param now the workspace's time
 */
export function markAlertedGrants(
  scope: WorkspaceScope,
  alerted: readonly AlertedCredits[],
  now: Instant,
): Statement {
  return {
    name: 'usage-alerted-grants',
    text: MARK_GRANTS,
    values: [
      scope.workspaceId,
      scope.environment,
      plainArray(alerted.map(({ customerId }) => customerId)),
      plainArray(alerted.flatMap(({ grantIds }) => grantIds)),
      isoText(now),
    ],
  };
}

const MARK_GRANTS = `
UPDATE tollgate.credit_grants SET low_alerted_at = $5
 WHERE workspace_id = $1 AND environment = $2 AND customer_id = ANY ($3::text[])
   AND low_alerted_at IS NULL AND (remaining = 0 OR id = ANY ($4::text[]))`;
