import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CatalogueSeeder } from '../../test/support/catalogue';
import { createWorkspace } from '../../test/support/workspace';
import type { Child } from '../children';
import { startReadinessProxy } from '../readiness-proxy';
import type { Scenario } from '../scenario';

/** Replaces two API processes behind a load balancer one after the other; no caller notices. */
export const rollingRestart: Scenario<'restarts' | 'aSecond' | 'drainSeconds'> = {
  name: 'rolling-restart',
  about: 'api processes replaced behind a proxy under load: no request fails',
  fullSize: { restarts: 20, aSecond: 200, drainSeconds: 2 },
  run: async ({ counts, start, log }) => {
    const env = { TOLLGATE_DRAIN_SECONDS: String(counts.drainSeconds) };
    const installation = await start({ processes: [] });
    const { database } = installation;
    const workspace = await createWorkspace(database);
    const seed = new CatalogueSeeder(database, workspace.sandbox);
    const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: null }]);
    for (let n = 0; n < 10; n += 1) await seed.subscription(await seed.customer(`acct_${n}`), plan);

    const proxy = await startReadinessProxy();
    const running: { child: Child; url: string }[] = [];
    const add = async (): Promise<void> => {
      const { child, urls } = await installation.startProcess('api', env);
      proxy.add(urls.sandbox);
      running.push({ child, url: urls.sandbox });
      while (!proxy.isReady(urls.sandbox)) await pause(50);
    };
    const load = startLoad(proxy.url, workspace.sandboxKey, counts.aSecond);
    try {
      await add();
      await add();
      load.begin();
      for (let turn = 1; turn <= counts.restarts; turn += 1) {
        await add();
        const oldest = running.shift();
        if (oldest === undefined) throw new Error('No process is running.');
        await oldest.child.stop();
        proxy.remove(oldest.url);
        log(`${turn} of ${counts.restarts} replaced, ${load.answered()} requests answered`);
      }
      const failures = await load.end();
      const [stored] = await database.query<{ count: string }>(
        'SELECT count(*) FROM tollgate.usage_events WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      if (failures.length > 0) {
        throw new Error(
          `${failures.length} of ${load.answered()} failed: ${failures.slice(0, 5).join('; ')}`,
        );
      }
      if (Number(stored?.count) !== load.tracked()) {
        throw new Error(`${load.tracked()} were recorded, and ${stored?.count ?? 'none'} are stored.`);
      }
      return { replaced: counts.restarts, requests: load.answered(), tracked: load.tracked(), failed: 0 };
    } finally {
      await load.end();
      await proxy.stop();
    }
  },
};

/**
 * Starts an open load: requests at a constant rate, half checks and half tracks, regardless of how long answers take.
 */
function startLoad(url: string, key: string, aSecond: number) {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  let [sent, answered, tracked] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;
  const one = async (): Promise<void> => {
    sent += 1;
    const operation = sent % 2 === 0 ? 'check' : 'track';
    try {
      const status = await post(agent, `${url}/v1/usage/${operation}`, key, sent);
      answered += 1;
      if (status !== 200) failures.push(`${operation} answered ${status}`);
      else if (operation === 'track') tracked += 1;
    } catch (error) {
      failures.push(`${operation}: ${String(error)}`);
    }
  };
  return {
    begin: () => {
      timer = setInterval(
        () => {
          const request = one().finally(() => open.delete(request));
          open.add(request);
        },
        Math.max(1, 1_000 / aSecond),
      );
    },
    answered: () => answered,
    tracked: () => tracked,
    /** @returns what failed, once every request has its answer */
    end: async (): Promise<string[]> => {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return failures;
    },
  };
}

function post(agent: Agent, url: string, key: string, number: number): Promise<number> {
  const body = JSON.stringify({ externalId: `acct_${number % 10}`, feature: 'ai_tokens', quantity: 1 });
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': `load-${number}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: 30_000 }, (response) => {
      response.resume();
      response.once('end', () => {
        resolve(response.statusCode ?? 0);
      });
      response.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in 30 s')));
    sent.once('error', reject);
    sent.end(body);
  });
}
