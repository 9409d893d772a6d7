import pino from 'pino';
import { TollgateError } from '../../src/domain/errors';
import { createJobLogger } from '../../src/relay/job-logger';
import { OperationOpenError, ReschedulingError } from '../../src/relay/tasks';

/** Returns the log lines for a failed task, when the queue reports it with its own message and the stack. */
function linesOf(error: Error): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const jobs = createJobLogger(log).scope({ jobId: '7', taskIdentifier: 'send-operation' });
  jobs.error(`Failed task 7 with error '${error.message}':\n  ${error.stack}`, { failure: true, error });
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a job that fails', () => {
  test.each([
    new OperationOpenError('The operation op_1 has not ended yet.'),
    new ReschedulingError('The subscriptions are being rescheduled.'),
    new TollgateError('temporal_unavailable', 'Temporal does not answer.'),
  ])('because it waits takes one line without a stack: %s', (error) => {
    const [line, ...others] = linesOf(error);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ level: 30, jobId: '7', reason: error.message });
    expect(JSON.stringify(line)).not.toContain(' at ');
  });

  test('of an internal error is logged as an error with its stack', () => {
    const [line] = linesOf(new Error('cannot'));
    expect(line).toMatchObject({ level: 50, jobId: '7' });
    expect(line?.['msg']).toContain(' at ');
  });
});
