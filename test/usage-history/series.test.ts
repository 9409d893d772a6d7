import { DAY_MS } from '../../src/domain/instant';
import { bucketsOf } from '../../src/domain/calendar-buckets';
import { expectedGroups, OTHER, type ExpectedGroups } from './expected-series';
import { HistoryWorkspace, type SeriesBody } from './history-workspace';
import type { RecordedUse } from './recorded-uses';
import { useStarted } from '../support/use-started';

const history = useStarted(() => HistoryWorkspace.start());
const at = (text: string): number => Date.parse(text);

const shape = ({ groups }: SeriesBody): ExpectedGroups =>
  groups.map(({ kind, key, points }) => ({
    key: kind === 'other' ? OTHER : key,
    points: points.map(({ quantity, events }) => ({ quantity, events })),
  }));

/** Returns a generator of pseudo-random numbers that are the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const START = at('2026-03-20T00:00:00Z');
const MODELS = ['small', 'large', 'huge', '7', true, 12.5, null, ['x']] as const;

test('whatever is rolled up when, every series is the sum of the uses', async () => {
  const { world, uses, operator } = history;
  const { service, workspace, seed } = world;
  const random = numbers(7);
  const features: string[] = [];
  // One feature has a dimension from the start; another one declares it midway.
  for (const key of ['tokens', 'calls', 'jobs'])
    features.push(await history.feature(key, key === 'tokens' ? ['model', 'region'] : []));
  const customers: string[] = [];
  for (let n = 0; n < 14; n += 1) customers.push(await seed.customer(`c${n}`));
  const names = new Map(
    (
      await service.database.query<{ id: string; name: string }>(
        `SELECT id, external_id AS name FROM tollgate.customers UNION ALL SELECT id, key FROM tollgate.features`,
      )
    ).map(({ id, name }) => [id, name]),
  );
  let declared = Number.POSITIVE_INFINITY;
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(items.length)];
    if (item === undefined) throw new Error('Nothing to pick.');
    return item;
  };
  const use = async (): Promise<void> => {
    const when = START + random(14 * 24 * 60) * 60_000;
    const properties = { model: pick(MODELS), region: pick(['eu', 'us']) };
    // Distinct powers keep the order of groups unambiguous.
    const customer = customers[Math.floor(Math.sqrt(random(customers.length * customers.length)))] ?? '';
    await uses.add(customer, pick(features), 1 + random(5_000), when, {
      ...(random(5) > 0 && { properties }),
      ...(random(4) === 0 && { recordedAt: when + random(20) * DAY_MS, late: true }),
      ...(uses.uses.length < 12 && { earlier: true }),
    });
  };
  const reverse = async (): Promise<void> => {
    const open = uses.uses.filter(({ reversed }) => reversed === 0);
    const one = pick(open);
    await uses.reverse(one, random(2) === 0 ? one.quantity : Math.max(1, Math.floor(one.quantity / 3)));
  };

  const modelOf = (one: RecordedUse): string | null => {
    const counts =
      one.featureId === features[0] ? uses.uses.indexOf(one) >= 12 : uses.uses.indexOf(one) >= declared;
    const model = one.properties?.['model'];
    return counts && ['string', 'number', 'boolean'].includes(typeof model) ? String(model) : null;
  };
  const compare = async (): Promise<void> => {
    const questions: Record<string, string>[] = [
      {},
      { feature: 'tokens' },
      { customer: 'c3' },
      { customer: 'c3', feature: 'calls' },
      { groupBy: 'feature' },
      { groupBy: 'feature', limit: '1' },
      { groupBy: 'feature', customer: 'c9' },
      { groupBy: 'customer' },
      { groupBy: 'customer', limit: '3' },
      { groupBy: 'customer', limit: '4', feature: 'jobs' },
      { groupBy: 'customer', customer: 'c5', feature: 'tokens' },
      { groupBy: 'dimension', dimension: 'model', feature: 'tokens' },
      { groupBy: 'dimension', dimension: 'model', feature: 'tokens', limit: '2' },
      { groupBy: 'dimension', dimension: 'model', feature: 'tokens', customer: 'c12', limit: '3' },
      ...(declared === Number.POSITIVE_INFINITY
        ? []
        : [{ groupBy: 'dimension', dimension: 'model', feature: 'jobs', limit: '4' }]),
    ];
    for (const question of questions) {
      for (const [timeZone, interval, from, to] of [
        ['UTC', 'day', '2026-03-28T00:00:00Z', '2026-05-03T00:00:00Z'],
        ['Asia/Kathmandu', 'day', '2026-03-22T03:00:00Z', '2026-03-29T03:00:00Z'],
        ['Europe/Berlin', 'hour', '2026-03-28T20:00:00Z', '2026-03-29T08:00:00Z'],
        ['America/New_York', 'month', '2026-03-01T05:00:00Z', '2026-04-20T00:00:00Z'],
      ] as const) {
        const body = await history.series({ ...question, timeZone, interval, from, to });
        const buckets = bucketsOf(timeZone, interval, { from: at(from), to: at(to) }, 1_000) ?? [];
        const ids = (name: string | undefined): string | undefined =>
          [...names].find(([, one]) => one === name)?.[0];
        const featureId = ids(question['feature']);
        const customerId = ids(question['customer']);
        const keyOf = {
          none: () => null,
          feature: (one: RecordedUse) => names.get(one.featureId) ?? null,
          customer: (one: RecordedUse) => names.get(one.customerId) ?? null,
          dimension: modelOf,
        }[(question['groupBy'] ?? 'none') as 'none' | 'feature' | 'customer' | 'dimension'];
        const expected = expectedGroups(uses.uses, {
          starts: buckets.map(({ start }) => start),
          to: buckets.at(-1)?.end ?? 0,
          ...(featureId !== undefined && { featureId }),
          ...(customerId !== undefined && { customerId }),
          keyOf,
          limit: Number(question['limit'] ?? 10),
        });
        const zero = buckets.map(() => ({ quantity: 0, events: 0 }));
        const whole =
          expected.length === 0 && question['groupBy'] === undefined
            ? [{ key: null, points: zero }]
            : expected;
        try {
          expect(shape(body)).toEqual(whole);
        } catch (error) {
          throw new Error(JSON.stringify({ ...question, timeZone, interval }), { cause: error });
        }
        expect(body.groups.reduce((sum, { events }) => sum + events, 0)).toBe(body.events);
      }
    }
  };

  for (let n = 0; n < 60; n += 1) await use();
  // Nothing has ever been rolled up.
  await compare();
  for (const batch of [7, 1, 1_000]) {
    for (let n = 0; n < 40; n += 1) await (random(4) === 0 ? reverse() : use());
    await history.rollUp(batch);
    for (let n = 0; n < 15; n += 1) await (random(3) === 0 ? reverse() : use());
    await compare();
    expect(await history.differences()).toEqual({});
    if (batch === 7) {
      declared = uses.uses.length;
      const changed = await operator.patch(`/api/features/${features[2] ?? ''}`, {
        body: { dimensions: ['model'] },
      });
      expect(changed.body['dimensions']).toEqual(['model']);
    }
  }
  await history.rollUpAll();
  await compare();
  expect(await history.differences()).toEqual({});
  const [state] = await service.database.query<{ events: string }>(
    `SELECT sum(events) AS events FROM tollgate.usage_quarters
      WHERE workspace_id = $1 AND environment = 'sandbox' AND customer_id = '' AND feature_id = ''`,
    [workspace.workspaceId],
  );
  expect(Number(state?.events)).toBe(uses.uses.length);
});
