import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { Integrator, type Answer } from '../support/integrator';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';
import { createKey } from '../support/workspace';

const FEATURE = 'ai_tokens';

describe('while a reservation of six units is confirmed, what one has used and reserved', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;

  beforeAll(async () => {
    const key = await createKey(usage.service.database, usage.workspace.sandbox, [
      'usage',
      'read',
      'customers',
    ]);
    api = new Integrator(usage.service.urls.sandbox, key);
  });

  /**
   * Sends a request about a customer that has used one unit and reserved six. Once it has read the customer's units and
   * waits for the table, the six are confirmed, as by another process.
   */
  async function answerDuring(
    table: string,
    send: (about: { externalId: string; feature: string; entity: string }) => Promise<Answer>,
  ): Promise<Answer> {
    const terms = { feature: FEATURE, quota: 100, entityQuota: 10 };
    const { externalId, subscriptionId } = await usage.customer(terms);
    const about = { externalId, feature: FEATURE, entity: 'ann' };
    await api.track(externalId, FEATURE, 1, randomUUID(), { entity: 'ann' });
    const reserve = { expiresInSeconds: 600 };
    const held = await api.send('POST', '/v1/usage/check', { ...about, quantity: 6, reserve });
    expect(held.body).toMatchObject({ usage: 1, reserved: 6 });
    const other = new Client({ connectionString: usage.service.database.adminUrl });
    const count = async (units: number): Promise<void> => {
      for (const counters of ['usage_counters', 'entity_counters'])
        await other.query(
          `UPDATE tollgate.${counters} SET quota_used = quota_used + $2 WHERE subscription_id = $1`,
          [subscriptionId, units],
        );
    };
    const end = (status: string, eventId: string | null): Promise<unknown> =>
      other.query(
        'UPDATE tollgate.usage_reservations SET status = $2, event_id = $3, ended_at = now() WHERE id = $1',
        [held.body['reservationId'], status, eventId],
      );
    await other.connect();
    try {
      await other.query(`BEGIN; LOCK TABLE tollgate.${table}`);
      const answer = send(about);
      await untilWaitedFor(other, table);
      await end('confirmed', 'uev_other');
      await count(6);
      await other.query('COMMIT');
      return await answer;
    } finally {
      // The use has no event, which the verifier would find.
      await count(-6);
      await end('released', null);
      await other.end();
    }
  }

  test('counts once in a check of an entity', async () => {
    const { body } = await answerDuring('customer_entities', (about) =>
      api.send('POST', '/v1/usage/check', { ...about, quantity: 3 }),
    );
    expect(body).toMatchObject({ allowed: true, entity: { usage: 7, reserved: 0, remaining: 3 } });
  });

  test('counts once in the entitlements of an entity', async () => {
    const { body } = await answerDuring('customer_entities', ({ externalId, entity }) =>
      api.send('GET', `/v1/customers/${externalId}/entitlements?entity=${entity}`),
    );
    const ofFeature = (body['data'] as { feature: string }[]).find(({ feature }) => feature === FEATURE);
    expect(ofFeature).toMatchObject({
      usage: 1,
      reserved: 6,
      entity: { usage: 1, reserved: 6, remaining: 3 },
    });
  });

  test('counts once in the balances of a customer', async () => {
    const { body } = await answerDuring('usage_reservations', ({ externalId }) =>
      api.send('GET', `/v1/customers/${externalId}`),
    );
    expect(body['balances']).toMatchObject([{ feature: FEATURE, usage: 1, remaining: 93 }]);
  });
});

/** Waits until another session waits for a lock on the table. */
async function untilWaitedFor(client: Client, table: string): Promise<void> {
  const query = 'SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted';
  while ((await client.query(query, [`tollgate.${table}`])).rows.length === 0) await pause(5);
}
