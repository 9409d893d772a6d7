import { inWorkspace } from '../../src/db/workspace-transaction';
import { forgetValuesOf, takeOutOfValues } from '../../src/usage-history/forget-values-store';
import { Erasing, tablesNaming } from '../erasure/erasing';
import { Integrator } from '../support/integrator';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';
import { HistoryWorkspace } from './history-workspace';

const T = Date.parse('2026-05-05T10:00:00Z');
const DAY = { interval: 'day', from: '2026-05-05T00:00:00Z', to: '2026-05-06T00:00:00Z', timeZone: 'UTC' };
const BY_USER = { ...DAY, groupBy: 'dimension', dimension: 'user', feature: 'tokens' };

const history = useStarted(() => HistoryWorkspace.start());
let erasing: Erasing;
beforeAll(() => {
  erasing = new Erasing(history.world.service);
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

test('sums by value are deleted a batch at a time, and each value with its last sum', async () => {
  const { workspace, seed, service } = history.world;
  const featureId = await history.feature('calls', ['user', 'region']);
  const [erased, other] = [await seed.customer('many'), await seed.customer('few')];
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const properties = { user: `user ${n % 3}`, region: n < 3 ? 'west' : 'east' };
    ids.push((await history.uses.add(erased, featureId, 1, T + n * 900_000, { properties })).id);
  }
  await history.uses.add(other, featureId, 1, T, { properties: { region: 'west' } });
  await history.rollUpAll();
  const count = async (): Promise<{ sums: number; values: string[] }> => {
    const [found] = await service.database.query<{ sums: number; values: string[] }>(
      `SELECT (SELECT count(*)::int FROM tollgate.usage_value_quarters WHERE customer_id = $1) AS sums,
              ARRAY(SELECT value FROM tollgate.usage_values u JOIN tollgate.usage_dimensions d ON d.id = u.dimension_id
                     WHERE d.feature_id = $2 AND value IS NOT NULL ORDER BY value) AS values`,
      [erased, featureId],
    );
    return found ?? { sums: 0, values: [] };
  };
  const within = <Result>(
    work: (trx: Parameters<typeof forgetValuesOf>[0]) => Promise<Result>,
  ): Promise<Result> => inWorkspace(history.worker, workspace.sandbox, 'SYSTEM', work);
  await within((trx) => takeOutOfValues(trx, workspace.sandbox, ids));
  await service.database.query('UPDATE tollgate.usage_events SET properties = NULL WHERE customer_id = $1', [
    erased,
  ]);
  const forget = (): Promise<boolean> => within((trx) => forgetValuesOf(trx, workspace.sandbox, erased, 5));
  expect(await count()).toEqual({ sums: 12, values: ['east', 'user 0', 'user 1', 'user 2', 'west'] });
  for (const sums of [7, 2, 0]) {
    expect(await forget()).toBe(true);
    expect((await count()).sums).toBe(sums);
    expect(await history.differences()).toEqual({});
  }
  expect(await forget()).toBe(false);
  expect((await count()).values).toEqual(['west']);
});
