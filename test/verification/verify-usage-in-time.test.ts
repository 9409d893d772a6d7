import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/pools';
import { verifyAll } from '../../src/verification/verify';
import { DAY_MS } from '../../src/domain/instant';
import { Integrator } from '../support/integrator';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';
import { createKey } from '../support/workspace';

/** The verifier's findings on reversed uses, reserved units, and quota of earlier periods. */
describe('the verifier', () => {
  const usage = useStarted(
    () => UsageWorkspace.start(),
    ({ service }) => service.stop({ differences: true }),
  );
  let database: Database;

  beforeAll(async () => {
    database = usage.service.open('tollgate_app', 1);
    const key = await createKey(usage.service.database, usage.workspace.sandbox, ['usage']);
    const api = new Integrator(usage.service.urls.sandbox, key);
    const { externalId, customerId } = await usage.subscribed(
      { anchor: Date.now() - 3.5 * DAY_MS },
      {
        feature: 'ai_tokens',
        quota: 10,
        resetInterval: 'day',
        creditCost: 1,
        rollover: { periods: 3 },
      },
    );
    await usage.seed.credits(customerId, 10);
    const check = {
      externalId,
      feature: 'ai_tokens',
      quantity: 2,
      entity: 'ann',
      reserve: { expiresInSeconds: 60 },
    };
    const [held] = [
      await api.send('POST', '/v1/usage/check', check),
      await api.send('POST', '/v1/usage/check', check),
    ];
    const reservation = { reservationId: held.body['reservationId'] };
    await api.track(externalId, 'ai_tokens', 2, randomUUID(), reservation);
    // From the day's quota, from the rollover of three days before, and from credits.
    const uses = [await api.track(externalId, 'ai_tokens', 38), await api.track(externalId, 'ai_tokens', 1)];
    for (const use of uses) {
      const path = `/v1/usage/events/${String(use.body['eventId'])}/reverse`;
      const body = { reason: 'a mistake', quantity: use === uses[0] ? 25 : 1 };
      const { status } = await api.send('POST', path, body, { 'Idempotency-Key': randomUUID() });
      expect(status).toBe(201);
    }
  });

  async function faults(): Promise<string[]> {
    const found: string[] = [];
    for await (const { examples } of verifyAll(database)) found.push(...examples);
    return found;
  }

  test('agrees with what was taken back, held and used later', async () => {
    expect(await faults()).toEqual([]);
    const [there] = await usage.service.database.query(
      `SELECT (SELECT count(*)::int FROM tollgate.usage_reversals) AS reversals,
              (SELECT count(*)::int FROM tollgate.usage_reservations WHERE status = 'held') AS held,
              (SELECT count(*)::int FROM tollgate.usage_counters WHERE used_later > 0) AS later`,
    );
    expect(there).toEqual({ reversals: 2, held: 1, later: 1 });
  });

  const REVERSAL = 'UPDATE tollgate.usage_reversals SET';
  const planted: [string, string, RegExp][] = [
    [
      'a reversal to another earlier period than the use was of',
      `${REVERSAL} deductions = replace(deductions::text, (SELECT max(d->>'originStart') FROM tollgate.usage_reversals r, json_array_elements(r.deductions) d),
         '2020-01-01T00:00:00.000Z')::json WHERE quantity > 1`,
      /^reversal of event uev_.*: quantity 25, given back 25$/,
    ],
    [
      'a reversal of more than the use took',
      `${REVERSAL} quantity = 99, deductions = replace(deductions::text, '"quantity":"1"', '"quantity":"99"')::json WHERE quantity = 1`,
      /^reversal of event uev_.*: quantity 99/,
    ],
    [
      'a reversal of another quantity than its parts',
      `${REVERSAL} quantity = 24 WHERE quantity > 1`,
      /^reversal /,
    ],
    [
      'a reversal that was lost',
      'DELETE FROM tollgate.usage_reversals WHERE quantity > 1',
      /^counter of .*: holds 8\/0\/0\/7\/0, its events took 8\/2\/0\/30\/0/,
    ],
    [
      'a reversal of no use',
      `${REVERSAL} event_id = 'uev_none' WHERE quantity = 1`,
      /^reversal of event uev_none/,
    ],
    [
      'a unit of an earlier period that nothing has used',
      'UPDATE tollgate.usage_counters SET used_later = used_later + 1 WHERE used_later > 0',
      /^counter of /,
    ],
    [
      'a reservation that was confirmed by no use',
      `UPDATE tollgate.usage_reservations SET event_id = 'uev_none' WHERE status = 'confirmed'`,
      /^reservation rsv_.*: confirmed/,
    ],
    [
      'a reservation that another entity has used',
      `UPDATE tollgate.usage_reservations SET entity = 'bob' WHERE status = 'confirmed'`,
      /^reservation rsv_.*: confirmed/,
    ],
    [
      'a unit of an entity that no use took',
      'UPDATE tollgate.entity_counters SET quota_used = quota_used + 1',
      /^counter of an entity of cus_.*: holds 3\/0\/0\/0, its events took 2\/0\/0\/0/,
    ],
    [
      'the counter of an entity that was lost',
      'DELETE FROM tollgate.entity_counters',
      /^counter of an entity of cus_.*, its events took 2\/0\/0\/0/,
    ],
    [
      'a use that was counted for another entity',
      `UPDATE tollgate.entity_counters SET entity = 'bob'`,
      /^counter of an entity of cus_/,
    ],
    [
      'a reservation that holds less than its quantity',
      `UPDATE tollgate.usage_reservations SET quantity = 3 WHERE status = 'held'`,
      /^reservation rsv_.*: held, quantity 3, holds 2/,
    ],
  ];
  test.each(planted)('finds %s', async (_, fault, finding) => {
    const tables = ['usage_counters', 'usage_reversals', 'usage_reservations', 'entity_counters'];
    for (const table of tables)
      await usage.service.database.query(`CREATE TABLE public.${table} AS TABLE tollgate.${table}`);
    try {
      await usage.service.database.query(fault);
      expect(await faults()).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
    } finally {
      for (const table of tables) {
        await usage.service.database.query(`DELETE FROM tollgate.${table}`);
        await usage.service.database.query(`INSERT INTO tollgate.${table} TABLE public.${table}`);
        await usage.service.database.query(`DROP TABLE public.${table}`);
      }
    }
  });
});
