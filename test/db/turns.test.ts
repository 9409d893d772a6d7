import { classifyFailure } from '../../src/db/failure';
import { Turns } from '../../src/db/turns';

/** Work that ends when the test says so. */
class Work {
  end: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));
  readonly done: Promise<void>;

  constructor(turns: Turns, party: string, name: string, begun: string[]) {
    this.done = turns.take(party, () => {
      begun.push(name);
      return this.ended;
    });
  }
}

test('a workspace with much to do leaves connections to the others, and then takes turns with them', async () => {
  const turns = new Turns(5);
  const begun: string[] = [];
  const work = (party: string, name: string): Work => new Work(turns, party, name, begun);
  const busy = Array.from({ length: 8 }, (_, index) => work('busy', `busy ${index}`));
  expect(begun).toEqual(['busy 0', 'busy 1', 'busy 2', 'busy 3']);
  expect(turns.waiting).toBe(4);
  const quiet = work('quiet', 'quiet');
  expect(begun.at(-1)).toBe('quiet');
  const others = [work('other', 'other 0'), work('other', 'other 1')];
  expect(turns.waiting).toBe(6);
  // In turn: whoever was served last waits behind the others.
  for (const ending of [quiet, ...busy.slice(0, 2)]) {
    ending.end();
    await ending.done;
  }
  expect(begun.slice(5)).toEqual(['other 0', 'busy 4', 'other 1']);
  expect(turns.waiting).toBe(3);
  for (const { end } of [...busy, ...others]) end();
  await Promise.all([...busy, ...others].map(({ done }) => done));
  expect(turns.waiting).toBe(0);
});

test('a failure gives its turn back', async () => {
  const turns = new Turns(1);
  const failed = turns.take('one', () => Promise.reject(new Error('no')));
  const next = turns.take('one', () => Promise.resolve('next'));
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('next');
  expect(turns.waiting).toBe(0);
});

test('work whose turn does not come in time is not begun, and counts as without a connection', async () => {
  jest.useFakeTimers();
  const turns = new Turns(1);
  const begun: string[] = [];
  const first = new Work(turns, 'busy', 'first', begun);
  const late = new Work(turns, 'busy', 'late', begun).done.catch((error: unknown) => error);
  jest.advanceTimersByTime(5_000);
  jest.useRealTimers();
  expect(classifyFailure(await late)).toBe('connection');
  first.end();
  await first.done;
  expect(begun).toEqual(['first']);
});
