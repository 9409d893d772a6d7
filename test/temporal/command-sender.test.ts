import type { Client } from '@temporalio/client';
import { createCommandSender } from '../../src/temporal/command-sender';
import type { CommandMessage } from '../../src/outbox/command-message';
import { HOUR_MS } from '../../src/domain/instant';

/** An error after which the command is sent again. */
const RUN_ENDED = { code: 9, details: '', metadata: { get: () => [] } };
const command: CommandMessage = {
  scope: { workspaceId: 'org_1', environment: 'production' },
  target: { kind: 'subscription', id: 'sub_1' },
  operationId: 'op_1',
  updateId: 'op_1',
};

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a machine’s clock that is set back while a command is sent gives it no more than its five seconds', async () => {
  const waits: number[] = [];
  const client = {
    withDeadline: (deadline: number) => {
      waits.push(deadline - Date.now());
      if (waits.length === 1) jest.setSystemTime(Date.now() - HOUR_MS);
      if (waits.length > 100) return Promise.reject(new Error('It was sent for longer.'));
      return Promise.reject(Object.assign(new Error('The run has ended.'), RUN_ENDED));
    },
  };
  const sender = createCommandSender(client as unknown as Client, { now: () => Date.now() });
  const sent = sender.send(command);
  await jest.advanceTimersByTimeAsync(20_000);
  expect(await sent).toBe('unanswered');
  expect(Math.max(...waits)).toBe(5_000);
});
