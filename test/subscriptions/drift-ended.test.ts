import { randomUUID } from 'node:crypto';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';
import { DriftingWorld } from './drifting';

const world = useProviderWorld();
const drifting = new DriftingWorld(world);
beforeEach(() => {
  drifting.dropWebhooks(false);
});

async function renameAtProvider({ id }: WorldSubscription, reference: string): Promise<void> {
  await world.service.database.query(
    `UPDATE tollgate.provider_references SET reference = $2 WHERE target_id = $1 AND kind = 'subscription'`,
    [id, reference],
  );
}

/** Returns the types of the messages about it that report its end or a change, oldest first. */
async function announced(id: string): Promise<string[]> {
  const rows = await world.service.database.query<{ type: string }>(
    `SELECT type FROM tollgate.webhook_messages
      WHERE resource_id = $1 AND type IN ('subscription.changed', 'subscription.cancelled') ORDER BY sequence`,
    [id],
  );
  return rows.map(({ type }) => type);
}

describe('a subscription that was cancelled in the dashboard, and no webhook came', () => {
  it('has ended at provider B: it ends here, and cannot be brought back there', async () => {
    const subscription = await world.subscribe('provider_b');
    const { id } = subscription;
    await drifting.behindOurBack(subscription, 'cancel');
    expect((await drifting.driftOf(id)).differences).toMatchObject([
      { field: 'status', local: 'active', provider: 'cancelled' },
    ]);
    expect((await drifting.repair(id, { take: 'local' })).body).toMatchObject({
      code: 'capability_unsupported',
    });
    expect((await drifting.repair(id, { take: 'provider' })).body).toMatchObject({ inSync: true });
    expect(await world.show(id)).toMatchObject({ status: 'cancelled' });
    expect(await announced(id)).toEqual(['subscription.cancelled']);
  });

  it.each(['provider_a', 'provider_c'] as const)(
    'runs out at %s: taken over here, or renewed there',
    async (provider) => {
      const seats = 1;
      const one = await world.subscribe(provider, { seats });
      await drifting.behindOurBack(one, 'cancel');
      expect(await drifting.fieldsOf(one.id)).toEqual(['cancelAtPeriodEnd']);
      expect((await drifting.repair(one.id, { take: 'provider' })).body).toMatchObject({
        inSync: true,
        changes: expect.arrayContaining([{ field: 'cancelAtPeriodEnd', from: false, to: true }]) as unknown,
      });

      const other = await world.subscribe(provider, { seats });
      await drifting.behindOurBack(other, 'cancel');
      expect((await drifting.repair(other.id, { take: 'local' })).body).toMatchObject({
        inSync: true,
        changes: [],
      });
      expect(await world.atProvider(other)).toMatchObject({ cancelAtPeriodEnd: false });
      expect(await world.show(other.id)).toMatchObject({ cancelAtPeriodEnd: false });
    },
  );
});

describe('a subscription that has ended here and goes on at the provider', () => {
  it.each(['provider_a', 'provider_b', 'provider_c'] as const)(
    'is not revived, and is ended at %s on our word',
    async (provider) => {
      const subscription = await world.subscribe(provider);
      const { id } = subscription;
      drifting.dropWebhooks(true);
      await world.service.database.query(
        `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = now(), next_wake_at = NULL WHERE id = $1`,
        [id],
      );
      expect(await drifting.fieldsOf(id)).toEqual(['status']);
      const refused = await drifting.repair(id, { take: 'provider' });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/take' }] } });
      expect((await drifting.repair(id, { take: 'local' })).body).toMatchObject({ inSync: true });
      expect(await world.show(id)).toMatchObject({ status: 'cancelled' });
      const { status, cancelAtPeriodEnd } = await world.atProvider(subscription);
      expect(status === 'cancelled' || cancelAtPeriodEnd).toBe(true);
    },
  );
});

describe('a subscription that the provider does not have', () => {
  it.each([
    ['provider_a', 'sub_gone'],
    ['provider_b', 'I-GONE'],
    ['provider_c', 'SUB_gone'],
  ] as const)('is missing at %s, and ends here only where that is said', async (provider, reference) => {
    const subscription = await world.subscribe(provider);
    const { id } = subscription;
    await renameAtProvider(subscription, reference);
    expect((await drifting.driftOf(id)).differences).toMatchObject([
      { field: 'existence', provider: 'missing' },
    ]);
    for (const take of ['provider', 'local'] as const) {
      const refused = await drifting.repair(id, { take });
      expect(refused).toMatchObject({ status: 409, body: { code: 'provider_refused' } });
      expect(String(refused.body['detail'])).toContain('endMissing');
    }
    expect(await world.show(id)).toMatchObject({ status: 'active' });
    const key = randomUUID();
    const ended = await drifting.repair(id, { take: 'provider', endMissing: true }, key);
    expect(ended).toMatchObject({ status: 200, body: { inSync: true } });
    expect(await world.show(id)).toMatchObject({ status: 'cancelled' });
    expect((await drifting.repair(id, { take: 'provider', endMissing: true }, key)).body).toEqual(ended.body);
    expect(await announced(id)).toEqual(['subscription.cancelled']);
  });
});
