import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { FieldProblem } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { OperationStatus } from '../domain/operation-status';
import type { Claim } from '../idempotency/idempotency-store';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';

export const OPERATION_KINDS = [
  'cancel',
  'reactivate',
  'change',
  'withdraw_scheduled_change',
  'record_payment',
  'refund',
  'create_checkout',
  'repair',
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** A refusal as stored: the fields of its TollgateError. */
export interface OperationProblem {
  code: string;
  detail: string;
  errors?: FieldProblem[];
  extra?: Record<string, unknown>;
  /** Seconds. */
  retryAfter?: number;
}

/** A command as accepted, with its status. */
export interface OperationRow {
  id: string;
  kind: OperationKind;
  subscriptionId: string | null;
  /** What it acts on: the subscription, a transaction, a payment. */
  targetId: string;
  input: Record<string, unknown>;
  idempotencyKey: string;
  fingerprint: Buffer;
  status: OperationStatus;
  /** Number of times the caller has sent it: the first time, and again after a refusal or an abandonment. */
  attempts: number;
  /** Problem of the last refusal. */
  problem: OperationProblem | null;
  reason: TransactionReason;
  operatorId: string | null;
  apiKeyId: string | null;
  ip: string | null;
  requestId: string;
  createdAt: Instant;
  /**
   * When its caller last sent it (the workspace's time): the first time, or again after a refusal or an abandonment.
   * Null in rows of earlier versions.
   */
  submittedAt: Instant | null;
  finishedAt: Instant | null;
}

export const OPERATION_COLUMNS = {
  id: 'id',
  kind: 'kind',
  subscriptionId: 'subscription_id',
  targetId: 'target_id',
  input: 'input',
  idempotencyKey: 'idempotency_key',
  fingerprint: 'fingerprint',
  status: 'status',
  attempts: 'attempts',
  problem: 'problem',
  reason: 'reason',
  operatorId: 'operator_id',
  apiKeyId: 'api_key_id',
  ip: 'ip',
  requestId: 'request_id',
  createdAt: 'created_at',
  submittedAt: 'submitted_at',
  finishedAt: 'finished_at',
} satisfies Partial<Record<keyof OperationRow, string>>;

/** Returns the claim under which the operation's answer is stored. */
export function claimOf({ idempotencyKey, fingerprint }: OperationRow): Claim {
  return { key: idempotencyKey, fingerprint };
}

export async function findOperation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<OperationRow | undefined> {
  return operationRows(trx, scope).where({ id }).first<OperationRow | undefined>(OPERATION_COLUMNS);
}

/**
 * Reads the row and locks it for the rest of the transaction. Lock order: last, after those of subscriptions, payments
 * and checkouts.
 */
export async function lockOperation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<OperationRow | undefined> {
  return operationRows(trx, scope)
    .where({ id })
    .forUpdate()
    .first<OperationRow | undefined>(OPERATION_COLUMNS);
}

export async function findOperationOfKey(
  trx: DbTransaction,
  scope: WorkspaceScope,
  key: string,
): Promise<OperationRow | undefined> {
  return operationRows(trx, scope)
    .where({ idempotency_key: key })
    .first<OperationRow | undefined>(OPERATION_COLUMNS);
}

export type NewOperation = Omit<OperationRow, 'status' | 'attempts' | 'problem' | 'finishedAt'>;

export function operationRows(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.operations').where(tenantColumns(scope));
}

export async function subscriptionExists(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<boolean> {
  const found = await trx('tollgate.subscriptions')
    .where({ ...tenantColumns(scope), id })
    .first<{ id: string } | undefined>('id');
  return found !== undefined;
}
