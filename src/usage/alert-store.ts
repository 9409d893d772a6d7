import { plainArray } from '../db/parameters';
import type { Statement } from '../db/pipeline';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** A customer who was notified that its credits are low, and the grants that it was notified of. */
export interface AlertedCredits {
  customerId: string;
  grantIds: readonly string[];
}

/**
 * Marks the grants: they notify no more. Those that are used up are marked with them, because a reversal may give credits
 * back to one; a grant that was made meanwhile is neither, and stays unmarked.
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
