import { CommandQueues } from '../../src/temporal/command-queues';

const LONG_MS = 60_000;
/** Enters a queue. Returns an entry with the current state. */
function enter(queues: CommandQueues, target: string, waitMs = LONG_MS) {
  const entry: { leave: (() => void) | undefined; state: string; settled: Promise<void> } = {
    leave: undefined,
    state: 'waiting',
    settled: Promise.resolve(),
  };
  entry.settled = queues.enter(target, waitMs).then(
    (leave) => {
      entry.leave = leave;
      entry.state = leave === undefined ? 'too late' : 'in flight';
    },
    (error: unknown) => {
      entry.state = String(error);
    },
  );
  return entry;
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('four are in flight to a workflow, the others wait in their order, and the eleventh is refused', async () => {
  const queues = new CommandQueues();
  const entries = Array.from({ length: 11 }, () => enter(queues, 'sub_1'));
  await turn();
  expect(entries.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 4 }, () => 'in flight'),
    ...Array.from({ length: 6 }, () => 'waiting'),
    expect.stringContaining('Too many commands'),
  ]);
  for (let ended = 0; ended < 10; ended += 1) {
    entries[ended]?.leave?.();
    await turn();
    const begun = entries.slice(0, 10).filter(({ state }) => state === 'in flight');
    expect(begun).toHaveLength(Math.min(10, 5 + ended));
  }
  // No trace of it remains.
  const next = enter(queues, 'sub_1');
  await next.settled;
  expect(next.state).toBe('in flight');
});

test('workflows do not wait for each other', async () => {
  const queues = new CommandQueues();
  for (let n = 0; n < 4; n += 1) enter(queues, 'sub_1');
  const other = enter(queues, 'sub_2');
  await other.settled;
  expect(other.state).toBe('in flight');
});

test('a command whose turn does not come in time leaves the queue', async () => {
  const queues = new CommandQueues();
  const first = Array.from({ length: 4 }, () => enter(queues, 'sub_1'));
  const late = enter(queues, 'sub_1', 1);
  await late.settled;
  expect(late.state).toBe('too late');
  first[0]?.leave?.();
  const next = enter(queues, 'sub_1');
  await next.settled;
  expect(next.state).toBe('in flight');
});
