import { inWorkspace } from '../../src/db/workspace-transaction';
import { decimalFromNumber } from '../../src/domain/decimal';
import { DAY_MS } from '../../src/domain/instant';
import { previewChecks } from '../../src/usage/preview-checks';
import { CatalogueSeeder } from '../support/catalogue';
import { useStarted } from '../support/use-started';
import { ANCHOR, END, SteppingWorkspace } from './stepping';

const world = useStarted(() => SteppingWorkspace.start());

/** Schedules a change from two seats (ten units a day) to one at the renewal; unused units roll over for three days. */
async function scheduled(externalId: string): Promise<string> {
  const seed = new CatalogueSeeder(world.cluster, world.scope);
  const daily = { feature: 'ai_tokens', quota: 5, perSeat: true, resetInterval: 'day' as const };
  const plan = await seed.plan(externalId, [{ ...daily, rollover: { periods: 3 } }], { pricing: 'per_seat' });
  const id = await seed.subscription(await seed.customer(externalId), plan, {
    anchor: ANCHOR,
    seats: 2,
    pricing: 'per_seat',
    current_period_end: new Date(END),
    next_wake_at: new Date(END),
  });
  await world.schedule(id, { planId: plan.planId, seats: 1 });
  return id;
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
  const prompt = await scheduled('prompt');
  await world.advance(prompt, END);
  const late = await scheduled('late');
  await world.advance(late, at);
  // Three days of five units; before the boundary it was ten a day.
  expect([await carriedAt('prompt', at), await carriedAt('late', at)]).toEqual([15, 15]);
  expect([await carriedAt('prompt', END + 1), await carriedAt('late', END + 1)]).toEqual([30, 30]);
});
