import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { providerA } from '../../../src/providers/provider-a/provider-a';
import type * as Client from '../../../src/providers/provider-a/client';
import { clientAt } from '../../simulators/provider-a-world';
import { startOperations, type Operations } from './operations-world';

// The adapter's own patience is longer than a test's.
jest.mock('../../../src/providers/provider-a/client', () => ({
  ...jest.requireActual<typeof Client>('../../../src/providers/provider-a/client'),
  clientFor: ({ baseUrl = '', secrets: { secretKey = '' } }: ConnectionAccess) =>
    clientAt(baseUrl, secretKey, 500),
}));

let world: Operations;
beforeAll(async () => {
  world = await startOperations();
});
afterAll(() => world.stop());

test('an answer that takes too long is unknown, and asked again the money goes back once', async () => {
  const { access } = world;
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
