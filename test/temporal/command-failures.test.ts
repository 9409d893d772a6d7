import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, NamespaceNotFoundError } from '@temporalio/common';
import { TollgateError } from '../../src/domain/errors';
import { classifyCommandFailure } from '../../src/temporal/command-failures';
import { retryIntervalOf } from '../../src/temporal/grpc-errors';
import { refusalFailure } from '../../src/temporal/refusal';

function grpc(code: number, message = `code ${code}`, encoded: Buffer[] = []): Error {
  return Object.assign(new Error(message), { code, details: '', metadata: { get: () => encoded } });
}
/** The server's message about a run that continues as new. */
const RUN_ENDING = 'workflow operation can not be applied because workflow is closing';
/** The server's message, with its limit. */
const QUEUE_FULL = 'limit on number of concurrent in-flight updates has been reached (10)';
const refused = (attempt: string): Error =>
  new WorkflowUpdateFailedError(
    'Workflow Update failed',
    refusalFailure(new TollgateError('plan_archived', 'Archived.', { extra: { planId: 'plan_1' } }), attempt),
  );

test.each<[string, Error]>([
  ['a run that ended under the command', grpc(9)],
  ['a run that is gone', grpc(5)],
  ['a run that is not found', new WorkflowNotFoundError('gone', 'id', undefined)],
  ['an aborted call', new ServiceError('aborted', { cause: grpc(10) })],
  ['a workflow that is locked', grpc(8, 'Workflow is busy.')],
  ['a run that is ending', grpc(8, 'Update-with-Start could not be executed.', [Buffer.from(RUN_ENDING)])],
  [
    'an accepted update whose run completed',
    new WorkflowUpdateFailedError(
      'failed',
      ApplicationFailure.create({ type: 'AcceptedUpdateCompletedWorkflow' }),
    ),
  ],
  [
    'an update that the server forgot',
    new ServiceError('failed', { cause: grpc(14, '14 UNAVAILABLE: workflow update was aborted') }),
  ],
  [
    'an update that a task was given anew without',
    new WorkflowUpdateFailedError('failed', ApplicationFailure.create({ type: 'UnprocessedUpdate' })),
  ],
])('%s is asked again', (_, error) => {
  expect(classifyCommandFailure(error, 'mine')).toEqual({ kind: 'again' });
});

test('an update that a cancelled run has ended needs another one', () => {
  const error = new WorkflowUpdateFailedError('failed', new CancelledFailure('Workflow cancelled'));
  expect(classifyCommandFailure(error, 'mine')).toEqual({ kind: 'cancelled' });
});

test('this sending’s refusal is the caller’s, with all that it says', () => {
  expect(classifyCommandFailure(refused('mine'), 'mine')).toMatchObject({
    kind: 'failed',
    error: { code: 'plan_archived', status: 409, detail: 'Archived.', extra: { planId: 'plan_1' } },
  });
});

test('an earlier sending’s refusal is not', () => {
  expect(classifyCommandFailure(refused('earlier'), 'mine')).toEqual({ kind: 'refused_before' });
});

test.each<[string, Error]>([
  ['the deadline', new WorkflowUpdateRPCTimeoutOrCancelledError('timeout')],
  ['a deadline of gRPC', new ServiceError('deadline', { cause: grpc(4) })],
  ['a deadline of the server', new ServiceError('cancelled', { cause: grpc(1, 'Call cancelled') })],
])('%s leaves it open', (_, error) => {
  expect(classifyCommandFailure(error, 'mine')).toEqual({ kind: 'pending' });
});

test.each<[string, number, Error]>([
  ['temporal_unavailable', 14, new ServiceError('unavailable', { cause: grpc(14) })],
  ['temporal_unavailable', 16, new ServiceError('unauthenticated', { cause: grpc(16) })],
  ['temporal_unavailable', 7, new ServiceError('unauthorized', { cause: grpc(7, 'Request unauthorized.') })],
  ['temporal_unavailable', 5, new NamespaceNotFoundError('billing')],
  ['temporal_unavailable', 3, grpc(3, 'search attribute WorkspaceId is not defined')],
  ['service_busy', 8, grpc(8, QUEUE_FULL)],
  ['service_busy', 8, grpc(8, 'Update-with-Start could not be executed.', [Buffer.from(QUEUE_FULL)])],
])('%s says when to come again', (code, _, error) => {
  const failure = classifyCommandFailure(error, 'mine');
  expect(failure).toMatchObject({ kind: 'failed', error: { code, status: 503 } });
  expect(failure.kind === 'failed' && (failure.error as TollgateError).retryAfter).toBeGreaterThan(0);
});

test('a request that Temporal does not accept is an internal error', () => {
  const error = new ServiceError('invalid', { cause: grpc(3) });
  expect(classifyCommandFailure(error, 'mine')).toEqual({ kind: 'failed', error });
});

test('a call that met the end of a run is repeated at once, and one that met a limit after a second', () => {
  const encoded = (message: string) => ({ code: 8, metadata: { get: () => [Buffer.from(message)] } });
  expect(retryIntervalOf(encoded(RUN_ENDING))).toBe(100);
  expect(retryIntervalOf({ code: 14 })).toBe(100);
  expect(retryIntervalOf({ code: 8, details: 'namespace rate limit exceeded' })).toBe(1_000);
});
