import { DAY_MS } from '../../../src/domain/instant';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { idOf } from '../../simulators/provider-a-world';
import { startOperations } from './operations-world';
import { useStarted } from '../../support/use-started';

const world = useStarted(startOperations);

test('a listed dispute is as its webhook reports it, with the time at which it was opened', async () => {
  const { payment } = await world.paid();
  const charge = (await world.client.paymentIntents.retrieve(payment)).latest_charge;
  world.receiver.received.splice(0);
  const opened = world.core.clock.now();
  world.account.dispute(idOf(charge));
  await world.core.outbox.flush();
  const events = world.receiver.received.map(({ body }) => providerA.readEvent(body));
  const reported = events.find(({ eventType }) => eventType === 'charge.dispute.created')?.dispute;

  const listed = await providerA.listDisputes?.(world.access, opened - DAY_MS);
  expect(listed).toMatchObject({ kind: 'done', value: [{ dispute: reported }] });
  expect(reported?.openedAt).toBe(Math.floor(opened / 1000) * 1000);
});
