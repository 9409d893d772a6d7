import { inWorkspace } from '../../src/db/workspace-transaction';
import { decimalFromNumber } from '../../src/domain/decimal';
import { DAY_MS } from '../../src/domain/instant';
import { previewChecks } from '../../src/usage/preview-checks';
import { CatalogueSeeder, type EntitlementSeed } from '../support/catalogue';
import { useStarted } from '../support/use-started';
import { ANCHOR, END, SteppingWorkspace } from './stepping';

const world = useStarted(() => SteppingWorkspace.start());

/** Five units a day for each seat; unused units roll over for three days. */
const DAILY = {
  feature: 'ai_tokens',
  quota: 5,
  perSeat: true,
  resetInterval: 'day' as const,
  rollover: { periods: 3 },
};

/**
 * Schedules a change from two seats (ten units a day) to one at the renewal: on the same plan, or on one with these
 * entitlements.
 */
async function scheduled(
  externalId: string,
  other?: readonly EntitlementSeed[],
): Promise<{ id: string; planId: string }> {
  const seed = new CatalogueSeeder(world.cluster, world.scope);
  const { planId, planGroupId } = await seed.plan(externalId, [DAILY], { pricing: 'per_seat' });
  const target =
    other === undefined
      ? planId
      : (await seed.plan(`${externalId}-other`, other, { pricing: 'per_seat', plan_group_id: planGroupId }))
          .planId;
  const id = await seed.subscription(
    await seed.customer(externalId),
    { planId, planGroupId },
    {
      anchor: ANCHOR,
      seats: 2,
      pricing: 'per_seat',
      current_period_end: new Date(END),
      next_wake_at: new Date(END),
    },
  );
  await world.schedule(id, { planId: target, seats: 1 });
  return { id, planId };
}

async function carriedAt(externalId: string, at: number): Promise<number> {
  const [check] = await inWorkspace(world.database, world.scope, 'SYSTEM', (trx) => {
    const use = { quantity: decimalFromNumber(1), entity: null };
    return previewChecks(trx, world.scope, [{ externalId, feature: 'ai_tokens' }], use, at);
  });
  return check?.rollover ?? Number.NaN;
}

test('a renewal that is taken days late leaves no more than one that was taken at once', async () => {
  const at = END + 3.5 * DAY_MS;
  const { id: prompt } = await scheduled('prompt');
  await world.advance(prompt, END);
  const { id: late } = await scheduled('late');
  await world.advance(late, at);
  // Three days of five units; before the boundary it was ten a day.
  expect([await carriedAt('prompt', at), await carriedAt('late', at)]).toEqual([15, 15]);
  expect([await carriedAt('prompt', END + 1), await carriedAt('late', END + 1)]).toEqual([30, 30]);
});

/** The entitlements of the plan that the renewal brings, and the units that three days of it carry over. */
const EDITED = [
  ['seats', undefined, 5 + 5 + 6],
  ['plan', [{ ...DAILY, quota: 1 }], 3],
  ['plan-without', [], 0],
] as const;

test.each(EDITED)(
  'an edit of the former plan before a late renewal gives its terms to no later day (%s)',
  async (name, other, units) => {
    const at = END + 3.5 * DAY_MS;
    const seed = new CatalogueSeeder(world.cluster, world.scope);
    const carried: number[] = [];
    for (const renewedAt of [END, at]) {
      const externalId = `${name}-${renewedAt}`;
      const { id, planId } = await scheduled(externalId, other);
      if (renewedAt === END) await world.advance(id, END);
      await world.cluster.query(
        'UPDATE tollgate.plan_entitlements SET quota = 6, updated_at = $2 WHERE plan_id = $1',
        [planId, new Date(END + 2.2 * DAY_MS)],
      );
      if (renewedAt === at) await world.advance(id, at);
      // What a plan without the feature has carried over shows once it has it.
      if (other?.length === 0) await seed.entitlement(await planOf(id), { ...DAILY, quota: 0 });
      carried.push(await carriedAt(externalId, at));
    }
    expect(carried).toEqual([units, units]);
  },
);

async function planOf(subscriptionId: string): Promise<string> {
  const [row] = await world.cluster.query<{ plan_id: string }>(
    'SELECT plan_id FROM tollgate.subscriptions WHERE id = $1',
    [subscriptionId],
  );
  return row?.plan_id ?? '';
}
