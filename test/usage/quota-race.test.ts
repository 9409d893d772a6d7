import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type ConsoleAnswer } from '../support/operator';
import { UsageWorkspace } from '../support/usage-workspace';
import { Integrator } from '../support/integrator';
import { startApiProcess, type ApiProcess } from '../support/api-process';
import { trackUntilTaken } from '../support/until-taken';
import { createWorkspace } from '../support/workspace';

/** Hard limits are exact under concurrency and across two API processes. */
describe('the edge of a hard quota', () => {
  let usage: UsageWorkspace;
  let other: ApiProcess;
  let apis: Integrator[];

  beforeAll(async () => {
    usage = await UsageWorkspace.start();
    other = await startApiProcess(usage.service.database);
    apis = [usage.api, new Integrator(other.sandboxUrl, usage.workspace.sandboxKey)];
  });
  afterAll(async () => {
    await other.kill('SIGTERM');
    await usage.stop();
  });

  test('two processes, mixed quantities: never over, and what is recorded is what was granted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 60, maxLength: 120 }),
        fc.integer({ min: 50, max: 300 }),
        async (quantities, quota) => {
          const { externalId } = await usage.customer({ feature: 'ai_tokens', quota });
          const answers = await Promise.all(
            quantities.map((quantity, index) =>
              trackUntilTaken(apis[index % 2] ?? usage.api, externalId, 'ai_tokens', quantity),
            ),
          );
          expect(answers.filter((answer) => answer.status !== 200 && answer.status !== 403)).toEqual([]);
          const granted = quantities
            .filter((_, index) => answers[index]?.status === 200)
            .reduce((sum, quantity) => sum + quantity, 0);
          expect(granted).toBeLessThanOrEqual(quota);
          expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(granted);
          // A refusal is only correct if its quantity no longer fitted.
          const smallestRefused = Math.min(
            ...quantities.filter((_, index) => answers[index]?.status === 403),
          );
          expect(quota - granted).toBeLessThan(smallestRefused);
        },
      ),
      { numRuns: 8, seed: 7 },
    );
  });

  test('one key sent 200 times at once over two processes counts once', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        trackUntilTaken(apis[index % 2] ?? usage.api, externalId, 'ai_tokens', 2, { key: 'both' }),
      ),
    );
    const fresh = answers.filter(
      (answer) => answer.status === 200 && answer.headers.get('idempotency-replayed') === null,
    );
    expect(fresh).toHaveLength(1);
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(2);
  });

  test('a reset among the tracks of two processes gives each period its quota once', async () => {
    const { database, urls } = usage.service;
    const workspace = await createWorkspace(database, 'Reset');
    const operator = await logIn(usage.service, { workspaceId: workspace.workspaceId, role: 'admin' });
    const seed = new CatalogueSeeder(database, workspace.sandbox);
    const quota = 40;
    const plan = await seed.plan('daily', [{ feature: 'ai_tokens', quota, resetInterval: 'day' }]);
    const anchor = Date.now() - HOUR_MS;
    await seed.subscription(await seed.customer('acct'), plan, { anchor });
    const reset = new Date(anchor + DAY_MS).toISOString();
    const granted: { before: unknown[]; after: unknown[] } = { before: [], after: [] };
    let move: Promise<ConsoleAnswer> | undefined;
    let isUsedUp = false;
    const lane = async (url: string): Promise<void> => {
      const caller = new Integrator(url, workspace.sandboxKey);
      while (!isUsedUp) {
        const { status, body } = await trackUntilTaken(caller, 'acct', 'ai_tokens');
        const answer = (status === 200 ? body : body['decision']) as {
          period: { start: string };
          usage: number;
        };
        const isAfter = answer.period.start === reset;
        if (status === 200) {
          granted[isAfter ? 'after' : 'before'].push(answer.usage);
          expect(String(body['recordedAt']) >= reset).toBe(isAfter);
        } else if (isAfter) isUsedUp = true;
        else move ??= operator.post('/api/sandbox/clock', { body: { to: reset } });
      }
    };
    const lanes = Array.from({ length: 16 }, (_, index) => lane(index % 2 ? urls.sandbox : other.sandboxUrl));
    await Promise.all(lanes);
    expect((await move)?.status).toBe(200);
    const each = Array.from({ length: quota }, (_, index) => index + 1);
    for (const usages of Object.values(granted))
      expect(usages.map(Number).sort((a, b) => a - b)).toEqual(each);
  });

  test('credits are never spent twice', async () => {
    const { externalId, customerId } = await usage.customer({
      feature: 'ai_tokens',
      quota: 0,
      creditCost: 0.3,
    });
    await usage.seed.credits(customerId, 10);
    await usage.seed.credits(customerId, 5, new Date(Date.now() + HOUR_MS));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        trackUntilTaken(apis[index % 2] ?? usage.api, externalId, 'ai_tokens', 1),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
    expect((await usage.api.check(externalId, 'ai_tokens')).body['creditBalance']).toBe(0);
  });
});
