import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/instant';
import { useProviderARow } from '../support/use-provider-world';

const { world, row } = useProviderARow();

test('a renewal that only the repair hears of applies its change, from the boundary on', async () => {
  const { subscription, end } = await row.inWindow();
  const { id } = subscription;
  await world.settle();
  row.lose(true);
  // The read at the boundary fails.
  row.meet(subscription, ...Array.from({ length: 12 }, () => 'answer_500' as const));
  await world.advanceTo(end + MINUTE_MS);
  world.simulators.core.faults.clear();
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  const before = (await world.history(id)).length;
  const answer = await world.operator.post(`/api/billing/subscriptions/${id}/drift`, {
    body: { take: 'provider' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect(answer).toMatchObject({ status: 200, body: { inSync: true } });
  expect(await row.summary(subscription)).toBe('active, starter × 2');
  const kinds = (await world.history(id)).slice(before).filter((kind) => kind !== 'payment_recorded');
  expect(kinds).toEqual(['scheduled_change_applied', 'period_turned', 'repaired']);
  // The former plan's quota applied only to the periods before the boundary.
  const [kept] = await world.service.database.query<{ at: number }>(
    'SELECT updated_at AS at FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  expect(kept?.at).toBe(end);
});
