import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { asText } from '../db/write-calls';
import type { WorkspaceScope } from '../tenancy/actor';
import type { NewOperation } from './operation-store';

/** @returns false if a concurrent request has inserted an operation under the same key */
export async function insertOperation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operation: NewOperation,
): Promise<boolean> {
  const [inserted] = await together(trx, [insertOperationCall(scope, operation)]);
  return inserted;
}

/**
 * Inserts if the key is unused and the named subscription, if any, exists. Any other case is left to the caller.
 *
 * @returns whether it was inserted
 */
export function insertOperationCall(scope: WorkspaceScope, operation: NewOperation): Call<boolean> {
  return {
    name: 'insert_operation',
    text: INSERT,
    values: [
      scope.workspaceId,
      scope.environment,
      operation.id,
      operation.kind,
      operation.subscriptionId,
      operation.targetId,
      JSON.stringify(operation.input),
      operation.idempotencyKey,
      asText(operation.fingerprint),
      operation.reason,
      operation.operatorId,
      operation.apiKeyId,
      operation.ip,
      operation.requestId,
      asText(new Date(operation.createdAt)),
      operation.submittedAt === null ? null : asText(new Date(operation.submittedAt)),
    ],
    read: (rows) => rows.length === 1,
  };
}

const INSERT = `
INSERT INTO tollgate.operations (workspace_id, environment, id, kind, subscription_id, target_id, input, idempotency_key,
       fingerprint, status, resendable, reason, operator_id, api_key_id, ip, request_id,
       created_at, submitted_at)
SELECT $1, $2::tollgate.environment_name, $3, $4, $5, $6, $7::jsonb, $8, $9::bytea, 'pending', true, $10, $11, $12, $13, $14,
       $15::timestamptz, $16::timestamptz
 WHERE NOT EXISTS (SELECT FROM tollgate.idempotency_answers
                    WHERE workspace_id = $1 AND environment = $2::tollgate.environment_name AND idempotency_key = $8)
   AND NOT EXISTS (SELECT FROM tollgate.usage_events
                    WHERE workspace_id = $1 AND environment = $2::tollgate.environment_name AND idempotency_key = $8)
   AND ($5::text IS NULL OR EXISTS (SELECT FROM tollgate.subscriptions
                    WHERE workspace_id = $1 AND environment = $2::tollgate.environment_name AND id = $5))
    ON CONFLICT (workspace_id, environment, idempotency_key) DO NOTHING
RETURNING true`;
