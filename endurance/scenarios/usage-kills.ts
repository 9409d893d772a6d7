import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CatalogueSeeder } from '../../test/support/catalogue';
import { Integrator } from '../../test/support/integrator';
import { createKey, createWorkspace } from '../../test/support/workspace';
import { addressesOf } from '../fault-injection';
import type { Installation } from '../installation';
import type { Scenario } from '../scenario';
import { judgeUsage } from '../usage-judgement';
import { FEATURE, UsageLoad } from '../usage-load';
import { verified } from '../verified';

/** So few units that customers are at their limit most of the time. */
const [QUOTA, CREDITS] = [150, 50];
/** The part of the quota that each of three users may take. */
const CAP = 60;

/**
 * Kills two api processes and maintain in turn under tracks, batches, reservations with their confirmations and
 * releases, and reversals. Every acknowledged unit is counted once, no hard limit is exceeded, and the verifier finds
 * nothing.
 */
export const usageKills: Scenario<'kills' | 'customers' | 'atOnce'> = {
  name: 'usage-kills',
  about:
    'api and maintain killed under tracks, batches, reservations and reversals of several users: each unit counted once',
  fullSize: { kills: 200, customers: 20, atOnce: 24 },
  run: async ({ counts, start, log }) => {
    const installation = await start({ processes: ['maintain', 'api'] });
    const apis = [
      { child: installation.child('api'), urls: installation.urls },
      await installation.startProcess('api'),
    ];
    const urls = apis.map((api) => api.urls.sandbox);
    const { key, externalIds } = await seed(installation, counts.customers);
    const load = new UsageLoad({ urls, key, externalIds, limit: QUOTA + CREDITS });

    let over = false;
    const caller = async (): Promise<void> => {
      while (!over) await load.next();
    };
    const callers = Promise.all(Array.from({ length: counts.atOnce }, caller));
    // A caller's failure is thrown below, when it is awaited.
    callers.catch(() => undefined);
    try {
      for (let made = 0; made < counts.kills; made += 1) {
        await pause(randomInt(100, 1_000));
        // A caller that has found an error ends the scenario.
        await Promise.race([callers, killOne(installation, apis, made)]);
        if ((made + 1) % 20 === 0) log(`${made + 1} of ${counts.kills} kills`);
      }
    } finally {
      over = true;
      await callers;
    }
    await judgeUsage(load, installation.database, new Integrator(urls[0] ?? '', key), externalIds);
    const found = await verified(installation);
    if (found.length > 0) throw new Error(`The verifier found: ${found.join('; ')}`);
    return { kills: counts.kills, 'uses, each counted once': load.uses.length, ...load.counted };
  },
};

type Api = Awaited<ReturnType<Installation['startProcess']>>;

/** Kills a process without warning, and restarts it on the same ports. */
async function killOne(installation: Installation, apis: Api[], turn: number): Promise<void> {
  const place = turn % (apis.length + 1);
  const api = apis[place];
  if (api === undefined) {
    await installation.child('maintain').kill();
    await installation.startProcess('maintain');
    return;
  }
  await api.child.kill();
  apis[place] = await installation.startProcess('api', addressesOf(api.urls));
}

async function seed(
  { database }: Installation,
  customers: number,
): Promise<{ key: string; externalIds: string[] }> {
  const { sandbox } = await createWorkspace(database);
  const seeder = new CatalogueSeeder(database, sandbox);
  const terms = { quota: QUOTA, entityQuota: CAP, enforcement: 'hard', creditCost: 1 } as const;
  const entitlement = { feature: FEATURE, ...terms };
  const plan = await seeder.plan('limited', [entitlement]);
  const externalIds = Array.from({ length: customers }, (_, n) => `customer_${n}`);
  for (const externalId of externalIds) {
    const customerId = await seeder.customer(externalId);
    await seeder.subscription(customerId, plan);
    await seeder.credits(customerId, CREDITS);
  }
  return { key: await createKey(database, sandbox, ['usage', 'read']), externalIds };
}
