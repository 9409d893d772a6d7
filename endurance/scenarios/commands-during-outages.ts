import { randomUUID } from 'node:crypto';
import { createCustomer, idOf, subscribe } from '../../test/catalog/offer';
import { twoPlans } from '../../test/support/billing';
import { logIn } from '../../test/support/operator';
import type { Scenario } from '../scenario';

/** Commands while Temporal is away in every way. */
export const commandsDuringOutages: Scenario<'sent' | 'subscriptions'> = {
  name: 'commands',
  about: 'commands while Temporal is frozen, stopped and killed',
  fullSize: { sent: 1_000, subscriptions: 50 },
  run: async ({ counts, start }) => {
    const { database, urls } = await start({ processes: ['relay', 'worker', 'api'], temporal: true });
    const operator = await logIn({ database, urls }, { role: 'admin' });
    const { starter } = await twoPlans(operator);
    const ids: string[] = [];
    for (let n = 0; n < counts.subscriptions; n += 1) {
      const { externalId } = await createCustomer(operator);
      ids.push(idOf(await subscribe(operator, { externalId, planId: starter, seats: 1 })));
    }
    const answered: Record<string, number> = {};
    for (let turn = 0; turn < counts.sent; turn += 1) {
      const { status } = await operator.post(
        `/api/billing/subscriptions/${ids[turn % ids.length] ?? ''}/change`,
        { body: { seats: 2 + Math.floor(turn / ids.length) }, headers: { 'Idempotency-Key': randomUUID() } },
      );
      answered[`answered ${status}`] = (answered[`answered ${status}`] ?? 0) + 1;
    }
    return answered;
  },
};
