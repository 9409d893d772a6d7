import { providerA } from '../../../src/providers/provider-a/adapter';
import { startOperations, type Operations } from './operations-world';

let world: Operations;
beforeAll(async () => {
  world = await startOperations();
});
afterAll(() => world.stop());

test('an answer that takes too long is unknown, and asked again the money goes back once', async () => {
  const access = { ...world.access, timeoutMs: 500 };
  const { payment } = await world.paid();
  const request = world.refund(payment);
  world.core.faults.set({ provider: 'a', path: '/v1/refunds', fault: 'slow', delayMs: 1_500, times: 1 });
  expect(await providerA.refundPayment(access, request)).toMatchObject({
    kind: 'unknown',
    reason: 'Provider A could not be reached.',
  });
  const refunds = async () => (await world.client.refunds.list({ payment_intent: payment })).data.length;
  expect((await providerA.refundPayment(access, { ...request, repeated: true })).kind).toBe('done');
  expect(await refunds()).toBe(1);
});
