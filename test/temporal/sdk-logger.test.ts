import { createLogger } from '../../src/telemetry/logger';
import { createSdkLogger } from '../../src/temporal/sdk-logger';

const lines: { level: string; msg: string; notLogged?: number }[] = [];
const log = createLogger('worker', 'info', {
  write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]),
});
let now = 0;
const sdk = createSdkLogger(log, { now: () => now });
beforeEach(() => {
  lines.length = 0;
});

const retry = (call: string, times: number): void => {
  // As the SDK does.
  sdk.log(times > 15 ? 'ERROR' : 'WARN', `gRPC call ${call} retried ${times} times`, {
    sdkComponent: 'core',
    target: 'temporalio_client::retry',
  });
};

test('while Temporal is down, the retries of each call are a line a minute', () => {
  for (let times = 1; times <= 100; times += 1) {
    retry('poll_workflow_task_queue', times);
    retry('poll_activity_task_queue', times);
    now += 500;
  }
  expect(lines.map(({ msg }) => msg)).toEqual([
    'gRPC call poll_workflow_task_queue retried 1 times',
    'gRPC call poll_activity_task_queue retried 1 times',
  ]);
  now += 60_000;
  retry('poll_workflow_task_queue', 101);
  expect(lines[2]).toMatchObject({ level: 'error', notLogged: 99 });
});

test('other messages are logged each time, at their own level', () => {
  const details = { sdkComponent: 'core', target: 'temporalio_sdk_core::worker::workflow' };
  for (const _ of [1, 2]) sdk.warn('Task not found when completing', details);
  sdk.error('Failing workflow task', details);
  sdk.info('Workflow bundle created', { sdkComponent: 'worker' });
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'error']);
});
