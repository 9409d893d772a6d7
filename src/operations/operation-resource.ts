import { z } from 'zod';
import type { StoredAnswer } from '../idempotency/idempotency-store';
import { errorCatalogue } from '../domain/errors';
import { OPERATION_STATUSES } from '../domain/operation-status';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { idFilter } from '../schemas/id-filter';
import { fromOperationProblem } from './operation-problem';
import { OPERATION_KINDS, type OperationRow } from './operation-store';

/** An operation as the API shows it: a command that takes longer than its caller waits. */
export const operationSchema = z
  .object({
    id: z.string(),
    kind: z.enum(OPERATION_KINDS),
    subscriptionId: z.string().nullable(),
    targetId: z
      .string()
      .meta({ description: 'What it acts on: the subscription, a transaction, a payment, a customer.' }),
    status: z.enum(OPERATION_STATUSES).meta({
      description:
        '`pending` and `accepted` operations (answered 202) are still running; the same request with the same `Idempotency-Key` waits for the answer. `abandoned` operations (answered 503) changed nothing; the same request starts again.',
    }),
    problem: z
      .object({
        code: z.string(),
        title: z.string(),
        status: z.int().meta({ description: 'The status that the request would have been answered with.' }),
        detail: z.string(),
        fix: z.string().meta({ description: 'What can be done about it.' }),
      })
      .catchall(z.unknown())
      .nullable()
      .meta({ description: 'Why it was refused.' }),
    answer: z
      .object({ status: z.int(), body: z.unknown() })
      .nullable()
      .meta({ description: 'The answer to the request, once it has succeeded.' }),
    createdAt: timeSchema.meta({ description: 'Real time, also in a sandbox whose clock was advanced.' }),
    finishedAt: timeSchema.nullable().meta({ description: 'Real time, too.' }),
  })
  .meta({ id: 'Operation' });

export type OperationResource = z.output<typeof operationSchema>;

/** An operation as its list shows it. */
export const listedOperationSchema = operationSchema.omit({ answer: true }).meta({ id: 'ListedOperation' });
export type ListedOperation = z.output<typeof listedOperationSchema>;

export const listOperationsQuery = listQuery.extend({
  subscriptionId: idFilter('subscription'),
  kind: z.enum(OPERATION_KINDS).optional(),
  status: z
    .enum([...OPERATION_STATUSES, 'open'])
    .optional()
    .meta({
      description: '`open`: those that are `pending` or `accepted`.',
    }),
});

/** @param answer stored under the operation's key */
export function toOperationResource(row: OperationRow, answer: StoredAnswer | undefined): OperationResource {
  const stored =
    answer === undefined ? null : { status: answer.status, body: JSON.parse(answer.body) as unknown };
  return { ...toListedOperation(row), answer: stored };
}

export function toListedOperation(row: OperationRow): ListedOperation {
  return {
    id: row.id,
    kind: row.kind,
    subscriptionId: row.subscriptionId,
    targetId: row.targetId,
    status: row.status,
    problem: row.problem === null ? null : problemMembers(row.problem),
    createdAt: toTime(row.createdAt),
    finishedAt: toTimeOrNull(row.finishedAt),
  };
}

/** Returns the members that the refusal would have had as an answer. */
function problemMembers(
  stored: NonNullable<OperationRow['problem']>,
): NonNullable<OperationResource['problem']> {
  const { code, detail, errors, extra } = fromOperationProblem(stored);
  const { title, status, fix } = errorCatalogue[code];
  return { ...extra, code, title, status, detail, fix, ...(errors === undefined ? {} : { errors }) };
}
