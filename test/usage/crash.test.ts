import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Integrator, type Answer } from '../support/integrator';
import { startApiProcess } from '../support/api-process';
import { trackUntilTaken } from '../support/until-taken';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Outcome as the caller saw it: acknowledged, refused, or unknown (no answer, or a 5xx). */
type Seen = 'acknowledged' | 'refused' | 'unknown';

function seen(answer: Answer | undefined): Seen {
  if (answer === undefined || answer.status >= 500) return 'unknown';
  return answer.status < 300 ? 'acknowledged' : 'refused';
}

/** Number of concurrent calls, and of acknowledged calls after which their process is killed. */
const [AT_ONCE, KILLED_AFTER] = [40, 60];

describe('crashes of what check and track stand on', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  async function recordedKeys(keys: readonly string[]): Promise<Set<string>> {
    const rows = await usage.service.database.query<{ key: string }>(
      'SELECT idempotency_key AS key FROM tollgate.usage_events WHERE idempotency_key = ANY ($1)',
      [keys],
    );
    return new Set(rows.map((row) => row.key));
  }

  test('an API process killed under load loses and doubles nothing', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1e6 });
    const outcomes = new Map<string, Seen>();
    for (let round = 0; round < 3; round += 1) {
      const victim = await startApiProcess(usage.service.database);
      const api = new Integrator(victim.sandboxUrl, usage.workspace.sandboxKey);
      const keys = Array.from({ length: 300 }, () => randomUUID());
      const waiting = [...keys];
      let acknowledged = 0;
      // While one call is answered, others are between claim and answer.
      const lane = async (): Promise<void> => {
        for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
          const outcome = seen(await api.track(externalId, 'ai_tokens', 1, key).catch(() => undefined));
          outcomes.set(key, outcome);
          if (outcome === 'acknowledged') acknowledged += 1;
          if (acknowledged === KILLED_AFTER) await victim.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      expect(acknowledged).toBeLessThan(keys.length);
      await victim.kill('SIGKILL');
      const recorded = await recordedKeys(keys);
      for (const key of keys) {
        if (outcomes.get(key) === 'acknowledged') expect(recorded.has(key)).toBe(true);
        expect(outcomes.get(key)).not.toBe('refused');
      }
    }
    expect([...outcomes.values()]).toContain('unknown');
    const all = [...outcomes.keys()];
    for (let from = 0; from < all.length; from += 50) {
      const slice = all.slice(from, from + 50);
      // A backend of a killed process may hold its key until it finds its connection closed.
      const retried = await Promise.all(
        slice.map((key) => trackUntilTaken(usage.api, externalId, 'ai_tokens', 1, { key })),
      );
      expect(retried.filter((answer) => answer.status !== 200)).toEqual([]);
    }
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(outcomes.size);
  });

  test('database backends terminated under load: 503 with Retry-After at worst, and then all is well', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1e6 });
    const keys = Array.from({ length: 600 }, () => randomUUID());
    const outcomes = new Map<string, Seen>();
    const load = { running: true };
    const terminator = (async () => {
      while (load.running) {
        await usage.service.database.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tollgate_app' AND datname = current_database()",
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    for (let from = 0; from < keys.length; from += 50) {
      await Promise.all(
        keys.slice(from, from + 50).map(async (key) => {
          const answer = await usage.api.track(externalId, 'ai_tokens', 1, key);
          if (answer.status !== 200) {
            expect(answer.status).toBe(503);
            expect(answer.headers.get('retry-after')).toBe('1');
          }
          outcomes.set(key, seen(answer));
        }),
      );
    }
    load.running = false;
    await terminator;
    const recorded = await recordedKeys(keys);
    for (const key of keys) if (outcomes.get(key) === 'acknowledged') expect(recorded.has(key)).toBe(true);
    // At the same concurrency as before: all at once would exceed what a lane's queue accepts.
    for (let from = 0; from < keys.length; from += 50) {
      const some = keys.slice(from, from + 50);
      // A pool may notice only now that its connections are closed.
      const answers = await Promise.all(
        some.map((key) => trackUntilTaken(usage.api, externalId, 'ai_tokens', 1, { key })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(keys.length);
  });

  test('a lock on one customer or key does not stop others', async () => {
    const held = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    const free = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    const holder = new Client({ connectionString: usage.service.database.adminUrl });
    await holder.connect();
    const scope = `${usage.workspace.workspaceId}|sandbox|`;
    try {
      await holder.query('BEGIN');
      await holder.query(
        'SELECT pg_advisory_xact_lock(hashtextextended($1, 2)), pg_advisory_xact_lock(hashtextextended($2, 1))',
        [`${scope}${held.externalId}`, `${scope}held-key`],
      );
      const [blocked, keyHeld, ...others] = await Promise.all([
        usage.api.track(held.externalId, 'ai_tokens', 1),
        usage.api.track(free.externalId, 'ai_tokens', 1, 'held-key'),
        ...Array.from({ length: 20 }, () => usage.api.track(free.externalId, 'ai_tokens', 1)),
        usage.api.check(held.externalId, 'ai_tokens', 1),
      ]);
      expect(others.map((answer) => answer.status)).toEqual(others.map(() => 200));
      expect(blocked.body).toMatchObject({ status: 503, code: 'service_busy' });
      expect(blocked.headers.get('retry-after')).toBe('1');
      expect(keyHeld.body).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
      expect(keyHeld.headers.get('retry-after')).toBe('1');
      const stuck: Promise<Answer>[] = [];
      for (let round = 0; round < 5; round += 1) {
        stuck.push(usage.api.track(held.externalId, 'ai_tokens', 1));
        const beside = await Promise.all(
          Array.from({ length: 10 }, () => usage.api.track(free.externalId, 'ai_tokens', 1)),
        );
        expect(beside.map((answer) => answer.status)).toEqual(beside.map(() => 200));
      }
      expect((await Promise.all(stuck)).map((answer) => answer.status)).toEqual(stuck.map(() => 503));
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
    expect((await usage.api.track(free.externalId, 'ai_tokens', 1, 'held-key')).status).toBe(200);
    expect((await usage.api.track(held.externalId, 'ai_tokens', 1)).status).toBe(200);
  });
});
