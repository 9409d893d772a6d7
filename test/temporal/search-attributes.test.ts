import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import type { CommandMessage } from '../../src/outbox/command-message';
import { createTemporalClient } from '../../src/temporal/client';
import { createCommandSender } from '../../src/temporal/command-sender';
import { removeEarlierSchedules } from '../../src/temporal/schedules';
import { registerSearchAttributes } from '../../src/temporal/search-attributes';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { startDevServer } from './installation';

let server: TemporalServer;
let clients: Client[];
beforeAll(async () => {
  server = await startDevServer();
  clients = [1, 2, 3, 4].map(() => createTemporalClient({ address: server.address, namespace: 'default' }));
});
afterAll(async () => {
  for (const { connection } of clients) await connection.close();
  await server.stop();
});

const NAMES = searchAttributeKeys.map(({ name }) => name).sort();
const client = (): Client => clients[0] as Client;

async function fields(): Promise<Record<string, string>> {
  const { config } = await client().workflowService.describeNamespace({ namespace: 'default' });
  return config?.customSearchAttributeAliases ?? {};
}
async function setFields(customSearchAttributeAliases: Record<string, string>): Promise<void> {
  const config = { customSearchAttributeAliases };
  await client().workflowService.updateNamespace({ namespace: 'default', config });
}
afterEach(async () => {
  await setFields(Object.fromEntries(Object.keys(await fields()).map((field) => [field, ''])));
});

test('a command that comes before there are any is refused as temporal_unavailable', async () => {
  const command: CommandMessage = {
    scope: { workspaceId: 'org_early', environment: 'sandbox' },
    operationId: 'op_early',
    target: { kind: 'subscription', id: 'sub_early' },
    updateId: 'early',
  };
  await expect(createCommandSender(client(), systemClock).send(command)).rejects.toMatchObject({
    code: 'temporal_unavailable',
    detail: expect.stringContaining('search attributes') as string,
  });
});

test('processes that register at the same moment give each attribute one field', async () => {
  // A registration refused because of a concurrent one is retried, as the relay and the worker do.
  await Promise.allSettled(clients.map((each) => registerSearchAttributes(each, systemClock)));
  const states = await registerSearchAttributes(client(), systemClock);
  expect(states.map(({ state }) => state)).toEqual(NAMES.map(() => 'there'));
  expect(Object.values(await fields()).sort()).toEqual(NAMES);
});

test('attributes that were given every field there is leave those that they do not need', async () => {
  const [one, two, three] = ['WorkspaceId', 'Environment', 'Provider'];
  await setFields({
    Keyword01: one,
    Keyword02: two,
    Keyword03: three,
    Keyword04: one,
    Keyword05: two,
    Keyword06: three,
    Keyword07: one,
    Keyword08: two,
    Keyword09: three,
    Keyword10: 'OfSomebodyElse',
  });
  const states = await registerSearchAttributes(client(), systemClock);
  expect(states.filter(({ state }) => state === 'there').map(({ name }) => name)).toEqual([one, two, three]);
  const after = await fields();
  expect(Object.values(after).sort()).toEqual([...NAMES, 'OfSomebodyElse'].sort());
  expect(after).toMatchObject({ Keyword01: one, Keyword02: two, Keyword03: three });
});

describe('calls that fail', () => {
  /** Codes of gRPC. */
  const [PERMISSION_DENIED, UNAVAILABLE] = [7, 14];
  let asked: number;
  let failed: number;
  beforeEach(() => {
    [asked, failed] = [0, 0];
  });

  async function fail(code: number): Promise<never> {
    asked += 1;
    await pause(asked * 20);
    failed += 1;
    throw Object.assign(new Error('no'), { code, details: '', metadata: {} });
  }
  /** A client of a Temporal that permits no registration, does not count, and shows no schedules. */
  const failing = {
    options: { namespace: 'default' },
    withDeadline: <Answer>(_: number, work: () => Answer) => work(),
    connection: { workflowService: { describeNamespace: () => fail(PERMISSION_DENIED) } },
    workflow: { count: () => fail(UNAVAILABLE) },
    schedule: { getHandle: () => ({ describe: () => fail(PERMISSION_DENIED) }) },
  } as unknown as Client;

  test.each([
    ['search attributes', registerSearchAttributes],
    ['schedules of earlier versions', removeEarlierSchedules],
  ])('none is still retried, for the %s, when the caller may close the client', async (_, work) => {
    await expect(work(failing, systemClock)).rejects.toThrow('no');
    expect(failed).toBe(asked);
  });
});
