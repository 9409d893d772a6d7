import pino from 'pino';
import { TollgateError } from '../../src/domain/errors';
import { createJobLogger } from '../../src/relay/job-logger';
import { OperationOpenError, ReschedulingError } from '../../src/relay/tasks';

/** Returns the log lines for a failed task. The queue reports it by its worker's logger, with the job in the details. */
function linesOf(error: Error): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const jobs = createJobLogger(log).scope({ label: 'worker', workerId: 'worker-1' });
  const job = {
    id: '7',
    task_identifier: 'poke-refund',
    key: 'refund/sandbox/ref_1',
    payload: { workspaceId: 'org_1', environment: 'sandbox', refundId: 'ref_1' },
  };
  jobs.error(`Failed task 7 with error '${error.message}':\n  ${error.stack}`, { failure: true, job, error });
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const JOB = {
  jobId: '7',
  taskIdentifier: 'poke-refund',
  jobKey: 'refund/sandbox/ref_1',
  workspaceId: 'org_1',
};

describe('a job that fails', () => {
  test.each([
    new OperationOpenError('The operation op_1 has not ended yet.'),
    new ReschedulingError('run_1'),
    new TollgateError('temporal_unavailable', 'Temporal does not answer.'),
  ])('because it waits takes one line without a stack: %s', (error) => {
    const [line, ...others] = linesOf(error);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ level: 30, ...JOB, reason: error.message });
    expect(JSON.stringify(line)).not.toContain(' at ');
  });

  test('of an internal error is logged as an error with its stack', () => {
    const [line] = linesOf(new Error('cannot'));
    expect(line).toMatchObject({ level: 50, ...JOB });
    expect(line?.['msg']).toContain(' at ');
  });
});
