import fc from 'fast-check';
import { HOUR_MS } from '../../src/domain/instant';
import { UsageWorkspace } from '../support/usage-workspace';
import { Integrator } from '../support/integrator';
import { startApiProcess, type ApiProcess } from '../support/api-process';
import { trackUntilTaken } from '../support/until-taken';

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
