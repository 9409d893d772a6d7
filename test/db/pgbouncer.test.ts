import { randomUUID } from 'node:crypto';
import { migrate } from '../../src/db/migrate';
import { startInstallation, type Installation } from '../../endurance/installation';
import { createCustomer, idOf, subscribe } from '../catalog/offer';
import { command, twoPlans } from '../support/billing';
import { CatalogueSeeder } from '../support/catalogue';
import { EntryPoint } from '../support/entry-point';
import { Integrator } from '../support/integrator';
import { logIn } from '../support/operator';
import { PGBOUNCER, startPgBouncer, type PgBouncer } from '../support/pgbouncer';
import { createWorkspace } from '../support/workspace';

/** Runs against the real PgBouncer where it is available; its stand-in has tests alongside this file. */
const behind = PGBOUNCER === undefined ? describe.skip : describe;

let installation: Installation;
let pooler: PgBouncer;
const start = async (mode: 'session' | 'transaction'): Promise<void> => {
  pooler = await startPgBouncer(PGBOUNCER ?? '', installation.database, mode);
};

behind('behind PgBouncer (skipped without PGBOUNCER_PATH, which npm test sets)', () => {
  beforeAll(async () => {
    installation = await startInstallation({ processes: [], temporal: true });
  });
  afterEach(() => pooler.stop());
  afterAll(() => installation.stop());

  test('transaction mode is refused at the start', async () => {
    await start('transaction');
    const verify = new EntryPoint('verify', { TOLLGATE_DATABASE_URL: pooler.url('tollgate_app') });
    expect((await verify.exit).code).toBe(1);
    expect(verify.output).toContain('The database address leads to a pooler in transaction mode');
  });

  test.each(['session', 'transaction'] as const)(
    'migrate and maintain are refused, and leave nothing locked, if %s mode drops their role',
    async (mode) => {
      await start(mode);
      const { database } = installation;
      const env = {
        TOLLGATE_DATABASE_MIGRATOR_URL: pooler.url('tollgate_migrator'),
        TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
      };
      for (const [name, args] of [
        ['migrate', []],
        ['maintain', ['--once']],
      ] as const) {
        const command = new EntryPoint(name, env, { args: [...args] });
        const { code } = await command.exit;
        expect([name, code, command.output]).toEqual([
          name,
          1,
          expect.stringMatching(
            new RegExp(`^${name}: The database address of tollgate_migrator leads to a pooler .+\\n$`),
          ),
        ]);
      }
      // Behind the pooler, nothing holds on to the lock.
      await migrate(database.url('tollgate_migrator'));
    },
  );

  test('session mode takes a command, a check, a track and their verification', async () => {
    await start('session');
    const { database, startProcess } = installation;
    const processes = [
      await startProcess('relay', { TOLLGATE_DATABASE_RELAY_URL: pooler.url('tollgate_relay') }),
      await startProcess('worker', { TOLLGATE_DATABASE_WORKER_URL: pooler.url('tollgate_worker') }),
      await startProcess('api', { TOLLGATE_DATABASE_URL: pooler.url('tollgate_app') }),
    ];
    const urls = processes.at(-1)?.urls ?? installation.urls;

    const operator = await logIn({ database, urls }, { role: 'admin' });
    const { starter } = await twoPlans(operator);
    const { externalId } = await createCustomer(operator);
    const id = idOf(await subscribe(operator, { externalId, planId: starter, seats: 1 }));
    const key = randomUUID();
    const change = async (): Promise<number> =>
      (await command(operator, id, 'change', { body: { seats: 3 }, key })).status;
    // The first may be answered 202 while the worker wakes up.
    while ((await change()) === 202);
    expect(await change()).toBe(200);
    const rows = await database.query('SELECT seats FROM tollgate.subscriptions WHERE id = $1', [id]);
    expect(rows).toEqual([{ seats: 3 }]);

    const workspace = await createWorkspace(database);
    const seed = new CatalogueSeeder(database, workspace.sandbox);
    const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 10 }]);
    await seed.subscription(await seed.customer('acct_1'), plan);
    const integrator = new Integrator(urls.sandbox, workspace.sandboxKey);
    expect((await integrator.track('acct_1', 'ai_tokens', 8, 'once')).status).toBe(200);
    expect((await integrator.check('acct_1', 'ai_tokens', 5)).body).toMatchObject({ allowed: false });

    const verify = new EntryPoint('verify', { TOLLGATE_DATABASE_URL: pooler.url('tollgate_app') });
    expect((await verify.exit).code).toBe(0);
    for (const { child } of processes) await child.stop();
  });
});
