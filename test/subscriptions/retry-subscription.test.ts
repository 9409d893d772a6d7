import fc from 'fast-check';
import { retryNow } from '../../src/domain/retry-now';
import { NO_WORK, type PendingCall } from '../../src/domain/provider-work';
import { MINUTE_MS } from '../../src/domain/instant';
import { ProviderRow } from '../support/provider-row';
import { useProviderWorld } from '../support/use-provider-world';

const world = useProviderWorld();
const row = new ProviderRow(world);
afterEach(() => {
  row.hearAgain();
});

const retry = (id: string) => world.operator.post(`/api/billing/subscriptions/${id}/retry`);

test('a cancellation without an outcome is settled at once, and not at its next try', async () => {
  const subscription = await world.subscribe('provider_a');
  row.break('provider_a', '/v1/subscriptions', 'answer_500');
  await world.command(subscription.id, 'cancel');
  const waits = await world.show(subscription.id);
  expect(waits['waitingFor']).toMatch(/has not confirmed a request/);
  row.hearAgain();
  const early = await retry(subscription.id);
  expect([early.status, early.body['code'], early.body['detail']]).toEqual([
    409,
    'nothing_to_retry',
    expect.stringMatching(/has just been sent\. It can be retried from 20\S+Z\.$/),
  ]);
  const seconds = Number(early.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  await world.advanceBy(MINUTE_MS + 1);
  row.break('provider_a', '/v1/subscriptions', 'answer_500');
  await world.catchUp(subscription.id);
  row.hearAgain();
  const answer = await retry(subscription.id);
  expect([answer.status, answer.body['id']]).toEqual([200, subscription.id]);
  await world.settle();
  await world.catchUp(subscription.id);
  expect(await world.show(subscription.id)).toMatchObject({ cancelAtPeriodEnd: true });
  const { body } = await world.operator.get('/api/audit', { query: { take: '200' } });
  expect(
    (body['data'] as { action: string; target: string }[]).map(({ action, target }) => [action, target]),
  ).toContainEqual(['subscription.retried', subscription.id]);
});

test('where nothing waits, it says so', async () => {
  const { id } = await world.subscribe('provider_c');
  const answer = await retry(id);
  expect([answer.status, answer.body['code']]).toEqual([409, 'nothing_to_retry']);
  expect(answer.headers.get('Retry-After')).toBeNull();
  expect((await retry('sub_unknown')).body['code']).toBe('subscription_not_found');
});

const NOW = 1_000 * MINUTE_MS;
const instants = fc.integer({ min: 0, max: 2_000 }).map((minutes) => minutes * MINUTE_MS);
const call = (since: number, retryAt: number): PendingCall => ({
  operationId: 'op_1',
  intent: { kind: 'cancel' },
  calls: [],
  key: 'k',
  since,
  tries: 1,
  retryAt,
});

test('what waits is due now, what is due stays as it is, and what was just sent is left alone', () => {
  fc.assert(
    fc.property(instants, instants, fc.option(instants), (since, retryAt, lookAgainAt) => {
      const view = {
        status: 'active' as const,
        pastDueSince: null,
        work: { ...NO_WORK, unsettled: call(since, retryAt), lookAgainAt },
      };
      const work = retryNow(view, NOW);
      const isFresh = NOW < since + MINUTE_MS;
      const callAt = retryAt > NOW && !isFresh ? NOW : retryAt;
      const lookAt = lookAgainAt !== null && lookAgainAt > NOW ? NOW : lookAgainAt;
      if (callAt === retryAt && lookAt === lookAgainAt) expect(work).toBeNull();
      else expect(work).toEqual({ ...view.work, unsettled: call(since, callAt), lookAgainAt: lookAt });
    }),
  );
});
