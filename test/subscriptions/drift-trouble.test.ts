import { randomUUID } from 'node:crypto';
import { providerA } from '../../src/providers/provider-a/adapter';
import type { ConsoleAnswer } from '../support/operator';
import { useProviderWorld } from '../support/use-provider-world';
import { DriftingWorld, LARGE } from './drifting';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from '../support/deliver-webhooks';

const world = useProviderWorld();
const drifting = new DriftingWorld(world);
beforeEach(() => {
  drifting.dropWebhooks(false);
});

describe('a provider that does not answer', () => {
  it('leaves everything unverifiable, and a repair to its word waits for it', async () => {
    const subscription = await world.subscribe('provider_b', { seats: 2 });
    const { id } = subscription;
    await drifting.behindOurBack(subscription, LARGE.provider_b);
    const reading = `/v1/billing/subscriptions/${subscription.reference}`;
    world.fault('provider_b', reading, 'answer_500', 6);
    const drift = await drifting.driftOf(id);
    expect(drift).toMatchObject({ inSync: null, differences: [], atProvider: null });
    expect(drift.unverifiable[0]).toMatchObject({ code: 'not_read' });
    expect((await drifting.repair(id, { take: 'local' })).body).toMatchObject({ code: 'provider_refused' });
    const key = randomUUID();
    expect((await drifting.repair(id, { take: 'provider' }, key)).status).toBe(202);
    // Another command does not replace it.
    const other = await drifting.repair(id, { take: 'provider' });
    expect(other).toMatchObject({ status: 409, body: { code: 'capability_unavailable' } });
    await world.advanceBy(2 * 60_000);
    expect(await world.show(id)).toMatchObject({ plan: { slug: 'large' }, seats: 3 });
    expect(await drifting.repair(id, { take: 'provider' }, key)).toMatchObject({
      status: 200,
      body: { inSync: true },
    });
  });

  it('hears our word once, although its answer was lost on the way', async () => {
    const subscription = await world.subscribe('provider_a', { seats: 2 });
    const { id, reference } = subscription;
    await drifting.behindOurBack(subscription, LARGE.provider_a);
    world.fault('provider_a', `/v1/subscriptions/${reference}`, 'cut_after_commit', 1);
    const answer = await drifting.repair(id, { take: 'local' });
    expect([200, 202]).toContain(answer.status);
    await world.advanceBy(2 * 60_000);
    expect(await world.atProvider(subscription)).toMatchObject({ planReference: 'price_pro', quantity: 2 });
    expect((await world.history(id)).filter((kind) => kind === 'repaired')).toHaveLength(1);
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a webhook that comes while a repair has read the provider', () => {
  /** Runs `act` after each of these counts of provider reads, before the reader gets the answer. */
  function afterRead(counts: readonly number[], act: () => Promise<unknown>): void {
    const fetchBilledSubscription = providerA.fetchBilledSubscription.bind(providerA);
    let reads = 0;
    jest.spyOn(providerA, 'fetchBilledSubscription').mockImplementation(async (...what) => {
      const facts = await fetchBilledSubscription(...what);
      reads += 1;
      if (counts.includes(reads)) await act();
      return facts;
    });
  }

  it('is not undone: the provider is read again', async () => {
    const subscription = await world.subscribe('provider_a', { seats: 2 });
    const { id, reference } = subscription;
    // The first read is the comparison before the command.
    afterRead([2], async () => {
      const { adapter, access } = await world.open('provider_a');
      const sending = { key: randomUUID(), repeated: false, reference, reason: 'Dashboard.' };
      await adapter.cancelSubscription(access, sending);
      await deliverWebhooks(world.simulators.core.outbox);
      expect((await world.show(id)).cancelAtPeriodEnd).toBe(true);
    });
    const answer = await drifting.repair(id, { take: 'provider' });
    expect(answer).toMatchObject({ status: 200, body: { inSync: true, changes: [] } });
    expect((await world.show(id)).cancelAtPeriodEnd).toBe(true);
    expect(await drifting.fieldsOf(id)).toEqual([]);
  });

  it('again and again, has the repair wait', async () => {
    const { id } = await world.subscribe('provider_a', { seats: 2 });
    const everyOne = Array.from({ length: 60 }, (_, read) => read + 1);
    afterRead(everyOne, () =>
      world.service.database.query(
        'UPDATE tollgate.subscriptions SET version = version + 1 WHERE id = $1 RETURNING id',
        [id],
      ),
    );
    const key = randomUUID();
    expect((await drifting.repair(id, { take: 'provider' }, key)).status).toBe(202);
    jest.restoreAllMocks();
    await world.advanceBy(2 * 60_000);
    expect(await drifting.repair(id, { take: 'provider' }, key)).toMatchObject({
      status: 200,
      body: { inSync: true },
    });
  });
});

describe('a connection', () => {
  it('lists its open subscriptions page by page, each with its differences', async () => {
    const provider: PaymentProvider = 'provider_a';
    const changed = await world.subscribe(provider, { seats: 2 });
    const fine = await world.subscribe(provider, { seats: 2 });
    await drifting.behindOurBack(changed, LARGE.provider_a);
    const list = (query: Record<string, string>): Promise<ConsoleAnswer> =>
      world.operator.get(`/api/provider-connections/${world.connections[provider]}/drift`, { query });
    const first = await list({ take: '1' });
    expect(first.body).toMatchObject({ hasMore: true, data: [{ subscriptionId: fine.id, inSync: true }] });
    const second = await list({ take: '1', cursor: String(first.body['nextCursor']) });
    expect(second.body).toMatchObject({
      data: [{ subscriptionId: changed.id, inSync: false, differences: [{ field: 'plan' }, {}] }],
    });
    const other = world.operator.get(`/api/provider-connections/${world.connections.provider_b}/drift`, {
      query: { cursor: String(first.body['nextCursor']) },
    });
    expect(await other).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
    expect((await world.operator.get('/api/provider-connections/conn_none/drift')).status).toBe(404);
  });

  describe('whose provider is silent', () => {
    beforeAll(async () => {
      for (let number = 0; number < 6; number += 1) await world.subscribe('provider_a', { seats: 2 });
    });

    const listed = async (): Promise<Record<string, unknown>[]> => {
      const path = `/api/provider-connections/${world.connections.provider_a}/drift`;
      return (await world.operator.get(path)).body['data'] as Record<string, unknown>[];
    };

    it('does not ask it for every subscription of a page', async () => {
      const reason = 'Provider A could not be reached.';
      const asked = jest
        .spyOn(providerA, 'fetchBilledSubscription')
        .mockResolvedValue({ kind: 'unknown', reason });
      const data = await listed();
      expect(asked).toHaveBeenCalledTimes(5);
      expect(data.length).toBeGreaterThanOrEqual(6);
      const unread = expect.objectContaining({ code: 'not_read', reason }) as unknown;
      for (const { unverifiable } of data.slice(0, 6))
        expect(unverifiable).toEqual(expect.arrayContaining([unread]));
    });

    it('asks it for the rest if only one cannot be read, and the others are not to be asked for', async () => {
      const asked = jest
        .spyOn(providerA, 'fetchBilledSubscription')
        .mockResolvedValue({ kind: 'declined', code: 'permission_denied', reason: 'Not allowed.' })
        .mockResolvedValueOnce({ kind: 'unknown', reason: 'Its status is not known.' });
      await listed();
      expect(asked.mock.calls.length).toBeGreaterThan(5);
    });

    it('asks it for the rest if it answers for one', async () => {
      const asked = jest
        .spyOn(providerA, 'fetchBilledSubscription')
        .mockResolvedValue({ kind: 'unknown', reason: 'Provider A could not be reached.' })
        .mockResolvedValueOnce({ kind: 'declined', code: 'not_found', reason: 'No such subscription.' });
      await listed();
      expect(asked.mock.calls.length).toBeGreaterThan(5);
    });
  });
});
