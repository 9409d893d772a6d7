import { Erasing, tablesNaming } from '../erasure/erasing';
import { Integrator } from '../support/integrator';
import { createKey } from '../support/workspace';
import { HistoryWorkspace } from './history-workspace';

const T = Date.parse('2026-05-05T10:00:00Z');
const DAY = { interval: 'day', from: '2026-05-05T00:00:00Z', to: '2026-05-06T00:00:00Z', timeZone: 'UTC' };
const BY_USER = { ...DAY, groupBy: 'dimension', dimension: 'user', feature: 'tokens' };

let history: HistoryWorkspace;
let erasing: Erasing;
beforeAll(async () => {
  history = await HistoryWorkspace.start();
  erasing = new Erasing(history.world.service);
});
afterAll(async () => {
  await erasing.stop();
  await history.stop();
});

test('with a customer go the values that only its uses had; sums and the other values stay', async () => {
  const { service, workspace, seed } = history.world;
  const featureId = await history.feature('tokens', ['user']);
  const [erased, other] = [await seed.customer('leaving'), await seed.customer('staying')];
  const use = (customerId: string, quantity: number, user: string, at = T) =>
    history.uses.add(customerId, featureId, quantity, at, {
      properties: { user },
      entity: `seat of ${user}`,
    });
  const mine = await use(erased, 100, 'quixote@mancha.example');
  await use(erased, 10, 'shared@example.com');
  await use(other, 7, 'shared@example.com');
  await history.rollUpAll();
  // One use is reversed and one is recorded after the last roll-up.
  await history.uses.reverse(mine, 40);
  await use(erased, 3, 'quixote@mancha.example', T + 60_000);
  const groups = async () =>
    (await history.series(BY_USER)).groups.map(({ kind, key, quantity, events }) => [
      kind,
      key,
      quantity,
      events,
    ]);
  expect(await groups()).toEqual([
    ['value', 'quixote@mancha.example', 63, 2],
    ['value', 'shared@example.com', 17, 2],
  ]);
  expect(await tablesNaming(service.database, ['quixote'])).toEqual(
    expect.arrayContaining(['usage_events', 'usage_values']),
  );
  await history.rollUp();

  const admin = new Integrator(
    service.urls.sandbox,
    await createKey(service.database, workspace.sandbox, ['customers']),
  );
  const erasure = await admin.send('DELETE', '/v1/customers/leaving');
  expect(erasure.status).toBe(202);
  await erasing.finish(workspace.sandbox, String(erasure.body['id']));
  const expected = [
    ['value', null, 73, 3],
    ['value', 'shared@example.com', 7, 1],
  ];
  expect(await groups()).toEqual(expected);
  expect(await tablesNaming(service.database, ['quixote', 'seat of shared'])).toEqual(['usage_events']);
  const [left] = await service.database.query<{ count: string }>(
    `SELECT count(*) FROM tollgate.usage_events WHERE customer_id = $1 AND (properties IS NOT NULL OR entity IS NOT NULL)`,
    [erased],
  );
  expect(Number(left?.count)).toBe(0);
  expect(await tablesNaming(service.database, ['quixote'])).toEqual([]);
  await history.rollUpAll();
  expect(await groups()).toEqual(expected);
  expect(await history.differences()).toEqual({});
  const { quantity, events } = await history.series(DAY);
  expect([quantity, events]).toEqual([80, 4]);
  // A value that returns is a new one.
  await use(other, 1, 'quixote@mancha.example');
  await history.rollUpAll();
  expect(await groups()).toEqual([...expected, ['value', 'quixote@mancha.example', 1, 1]]);
  expect(await history.differences()).toEqual({});
});
