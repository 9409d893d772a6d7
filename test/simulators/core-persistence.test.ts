import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCore, type RunningCore } from '../../simulators/core/core';
import { namedCall } from '../../simulators/core/named-call';
import { startReceiver } from './webhook-receiver';

const START = Date.parse('2027-01-30T09:00:00.000Z');

interface Thing {
  name: string;
  paid: bigint;
  at: Date;
  seal: Buffer;
  tags: Set<string>;
  gone?: undefined;
  friend: Thing | null;
}

class Shelf {
  readonly things = new Map<string, Thing>();
  label = 'a new shelf';
  constructor(readonly core: RunningCore) {}
  count(): number {
    return this.things.size;
  }
}

const grow = namedCall('test.grow', (core: RunningCore, thing: Thing, by: bigint) => {
  thing.paid += by;
  thing.name += `, grown at ${core.clock.now() - START}`;
});
const deliveryTo = namedCall('test.delivery', (url: string, thing: Thing) => ({
  url,
  headers: { 'x-paid': String(thing.paid) },
  body: thing.seal,
}));

let directory: string;
let file: string;
let real: number;
const reports: string[] = [];
const cores: RunningCore[] = [];
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-simulators-'));
  file = path.join(directory, 'inside', 'simulators.state');
  real = START;
  reports.length = 0;
});
afterEach(async () => {
  await Promise.allSettled(cores.splice(0).map(({ persistence }) => persistence.stop()));
  await rm(directory, { recursive: true });
});

/**
 * Starts a core as a new process would, as far as its state is concerned; the previous one need not have ended
 * cleanly.
 */
function start() {
  const report = (message: string): void => void reports.push(message);
  const core = createCore({ real: () => real, stateFile: file, report, retryDelaysMs: [60_000] });
  cores.push(core);
  const shelves = new Map<string, Shelf>();
  core.persistence.keep('test', shelves);
  core.persistence.instances('test.Shelf', Shelf, () => new Shelf(core));
  core.persistence.load(real);
  return { core, shelves };
}

async function saved({ core }: { core: RunningCore }): Promise<void> {
  core.persistence.changed();
  await core.persistence.stored();
}

function thing(name: string): Thing {
  return {
    name,
    paid: 5n,
    at: new Date(START),
    seal: Buffer.from([0, 255, 7]),
    tags: new Set(['x']),
    gone: undefined,
    friend: null,
  };
}

/** Fills two shelves that share a thing, whose friend refers back to it. */
function filled() {
  const running = start();
  const [one, other] = [thing('one'), thing('other')];
  one.friend = other;
  other.friend = one;
  for (const name of ['upper', 'lower']) {
    const shelf = new Shelf(running.core);
    shelf.things.set('one', one);
    running.shelves.set(name, shelf);
  }
  return { ...running, one };
}

test('state is restored as it was: its classes, shared references, and cycles', async () => {
  await saved(filled());
  const { core, shelves } = start();
  expect([...shelves.keys()]).toEqual(['upper', 'lower']);
  const upper = shelves.get('upper');
  const one = upper?.things.get('one');
  expect(upper).toBeInstanceOf(Shelf);
  expect(upper?.count()).toBe(1);
  expect(upper?.core).toBe(core);
  expect(shelves.get('lower')?.things.get('one')).toBe(one);
  expect(one?.friend?.friend).toBe(one);
  expect(one).toStrictEqual({ ...filled().one, friend: expect.anything() as Thing });
});

test('a member that is new in this version has the value of a new instance', async () => {
  const before = filled();
  for (const shelf of before.shelves.values()) Reflect.deleteProperty(shelf, 'label');
  await saved(before);
  expect(start().shelves.get('upper')?.label).toBe('a new shelf');
});

test('the clock continues from where it was, and performs what fell due in the meantime, in order', async () => {
  const before = filled();
  await before.core.clock.advanceTo(START + 10_000);
  before.core.clock.at(START + 13_000, grow(before.core, before.one, 100n));
  before.core.clock.at(START + 12_000, grow(before.core, before.one, 10n));
  before.core.clock.at(START + 12_500, grow(before.core, before.one, 1_000n)).cancel();
  before.core.clock.at(START + 99_000, grow(before.core, before.one, 10_000n));
  await saved(before);
  real += 4_000;
  const { core, shelves } = start();
  await core.clock.catchUp();
  expect(core.clock.now()).toBe(START + 14_000);
  const one = shelves.get('upper')?.things.get('one');
  expect(one).toMatchObject({ name: 'one, grown at 12000, grown at 13000', paid: 115n });
  expect(before.one.paid).toBe(5n);
});

test('a call that can be cancelled before a restart can be cancelled after it', async () => {
  const before = filled();
  const due = before.core.clock.at(START + 1_000, grow(before.core, before.one, 1n));
  before.core.persistence.keep('due', { due });
  await saved(before);
  const next = createCore({ real: () => real, stateFile: file });
  const kept = { due: { cancel: (): void => undefined } };
  next.persistence.keep('test', new Map());
  next.persistence.keep('due', kept);
  next.persistence.instances('test.Shelf', Shelf, () => new Shelf(next));
  next.persistence.load(real);
  kept.due.cancel();
  await expect(next.clock.advanceTo(START + 2_000)).resolves.toBeUndefined();
  const { core, shelves } = start();
  await core.clock.advanceTo(START + 2_000);
  expect(shelves.get('upper')?.things.get('one')?.paid).toBe(6n);
});

test('webhooks that were not accepted are sent by the next process, in order; those that were are not', async () => {
  const receiver = await startReceiver([200, 500]);
  const before = filled();
  const send = (id: string): void => {
    before.core.outbox.send(deliveryTo(`${receiver.url}/${id}`, before.one), {
      provider: 'a',
      event: 'test',
      id,
    });
  };
  for (const id of ['accepted', 'refused']) send(id);
  await before.core.outbox.flush();
  Object.assign(before.core.outbox.switches, { drop: true });
  send('dropped');
  Object.assign(before.core.outbox.switches, { drop: false, delayMs: 1_000 });
  send('under way');
  await saved(before);
  await before.core.outbox.stop();
  receiver.received.length = 0;

  real += 60_000;
  const { core } = start();
  core.outbox.resume();
  await core.outbox.flush();
  expect(receiver.received.map(({ path: to }) => to)).toEqual(['/under way', '/refused'].map(encodeURI));
  expect(receiver.received[0]).toMatchObject({
    body: Buffer.from([0, 255, 7]),
    headers: expect.objectContaining({ 'x-paid': '5' }) as object,
  });
  expect(core.outbox.deliveries.map(({ id, attempts }) => [id, attempts.length])).toEqual([
    ['accepted', 1],
    ['refused', 2],
    ['dropped', 0],
    ['under way', 1],
  ]);
  expect(core.outbox.switches.delayMs).toBe(1_000);
  await core.outbox.stop();
  await receiver.stop();
});

test('no webhook reports a change that is not stored', async () => {
  const before = filled();
  const stored: boolean[] = [];
  const receiver = await startReceiver([], async () => {
    stored.push((await readFile(file)).includes('what the webhook tells of'));
  });
  before.one.seal = Buffer.from('what the webhook tells of');
  const call = deliveryTo(`${receiver.url}/in`, before.one);
  before.core.outbox.send(call, { provider: 'b', event: 'test', id: 'x' });
  await before.core.outbox.flush();
  expect(stored).toEqual([true]);
  await before.core.outbox.stop();
  await receiver.stop();
});

test('a file that a killed process had begun to write is not read', async () => {
  await saved(filled());
  await writeFile(`${file}.new`, (await readFile(file)).subarray(0, 100));
  const next = start();
  expect(next.shelves.size).toBe(2);
  next.shelves.delete('upper');
  await saved(next);
  expect([...start().shelves.keys()]).toEqual(['lower']);
  expect(reports).toEqual([]);
});

test('a frozen object is restored frozen, with its content', async () => {
  const before = filled();
  const frozen = Object.freeze({ happened: new Map([['at', { instant: 5n }]]) });
  Object.assign(before.one, { frozen });
  await saved(before);
  const again = start();
  await saved(again);
  const one = start().shelves.get('upper')?.things.get('one');
  const kept = one && 'frozen' in one ? one.frozen : undefined;
  expect(kept).toEqual(frozen);
  expect(Object.isFrozen(kept)).toBe(true);
});

test('faults that are set are met by the next process, as often as is left', async () => {
  const before = filled();
  before.core.faults.set({ provider: 'a', path: '/', fault: 'answer_500', times: 2 });
  before.core.faults.next('a', '/');
  await saved(before);
  const { core } = start();
  expect(core.faults.next('a', '/')).toBe('answer_500');
  expect(core.faults.next('a', '/')).toBe('none');
});

test('a value that cannot be stored is refused, with its place', async () => {
  const before = filled();
  Object.assign(before.one, { render: () => 'later' });
  await expect(saved(before)).rejects.toThrow(/test\.upper\.things\.one\.render is a function/);
  Object.assign(before.one, { render: new URL('http://127.0.0.1') });
  await expect(saved(before)).rejects.toThrow(/render is of a class that is not known/);
  expect(reports).toHaveLength(2);
});

describe('a file that cannot be used is set aside with a message, and the simulators start empty', () => {
  const damage: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ['cut short', (bytes) => bytes.subarray(0, bytes.length - 10), /damaged/],
    ['one byte is another', (bytes) => bytes.fill(bytes.readUInt8(200) ^ 1, 200, 201), /damaged/],
    ['empty', () => Buffer.alloc(0), /does not begin/],
    [
      'another version',
      (bytes) => Buffer.from(bytes.toString('latin1').replace('simulators 1', 'simulators 2'), 'latin1'),
      /version 2/,
    ],
  ];
  test.each(damage)('%s', async (_, damaged, reason) => {
    await saved(filled());
    const bytes = damaged(await readFile(file));
    await writeFile(file, bytes);
    const next = start();
    expect(next.shelves.size).toBe(0);
    expect(reports).toEqual([expect.stringMatching(reason)]);
    expect(reports[0]).toContain(`${file}.unusable-2027-01-30`);
    const left = await readdir(path.dirname(file));
    expect(left).toEqual([expect.stringMatching(/^simulators\.state\.unusable-/)]);
    expect(await readFile(path.join(path.dirname(file), String(left[0])))).toEqual(bytes);
    await saved(next);
    reports.length = 0;
    start();
    expect(reports).toEqual([]);
  });

  test('it waits for what this version does not know', async () => {
    const before = filled();
    const call = grow(before.core, before.one, 1n);
    Object.assign(call, { name: 'test.of_another_version' });
    before.core.clock.at(START + 1, call);
    await saved(before);
    expect(start().shelves.size).toBe(0);
    expect(reports).toEqual([expect.stringContaining('test.of_another_version')]);
  });
});

test('without a file everything works, and nothing is written', async () => {
  const core = createCore({ real: () => real });
  core.persistence.keep('test', new Map([['function', () => 'cannot be stored']]));
  core.persistence.load(real);
  await saved({ core });
  core.persistence.changedLightly();
  await core.persistence.stop();
  expect(await readdir(directory)).toEqual([]);
});
