import pino from 'pino';
import { systemClock } from '../../src/clock/system-clock';
import { openDatabase } from '../../src/db/pools';
import { createReadiness } from '../../src/server/readiness';
import { createLogger } from '../../src/telemetry/logger';
import { startMetricsServer } from '../../src/telemetry/metrics-server';
import { createTemporalClient, pingTemporal } from '../../src/temporal/client';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';
import { useService } from '../support/use-service';

describe('health', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.stop());
  const hosts = ['console', 'sandbox', 'production'] as const;
  const ready = async (url = service.urls.sandbox): Promise<[number, unknown]> => {
    const answer = await fetch(`${url}/readyz`);
    return [answer.status, await answer.json()];
  };
  /** A loaded Postgres may not answer within readiness's own deadline. */
  const readyOnceReachable = async (url?: string): Promise<[number, unknown]> => {
    let answer: [number, unknown] = [0, undefined];
    await until(async () => {
      answer = await ready(url);
      return !JSON.stringify(answer[1]).includes('unreachable');
    });
    return answer;
  };

  test('each host is alive and ready; Temporal is reported and not required', async () => {
    for (const host of hosts) {
      const alive = await fetch(`${service.urls[host]}/healthz`);
      expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
      expect(await readyOnceReachable(service.urls[host])).toEqual([
        200,
        { status: 'ready', database: 'reachable', migrations: 'current', temporal: 'not_configured' },
      ]);
    }
  });

  test('a migration that has not run makes it not ready, one that it does not know does not', async () => {
    await service.database.query(
      "INSERT INTO tollgate_migrations.applied (name, batch) VALUES ('9999_later.sql', 9)",
    );
    expect((await readyOnceReachable())[0]).toBe(200);
    await service.database.query("DELETE FROM tollgate_migrations.applied WHERE name LIKE '0010%'");
    expect(await readyOnceReachable()).toEqual([
      503,
      { status: 'not_ready', database: 'reachable', migrations: 'pending', temporal: 'not_configured' },
    ]);
  });

  test('a database that was never migrated answers, and its migrations are pending', async () => {
    await service.database.query('ALTER SCHEMA tollgate_migrations RENAME TO elsewhere');
    try {
      expect(await readyOnceReachable()).toEqual([
        503,
        { status: 'not_ready', database: 'reachable', migrations: 'pending', temporal: 'not_configured' },
      ]);
    } finally {
      await service.database.query('ALTER SCHEMA elsewhere RENAME TO tollgate_migrations');
    }
  });

  test('without its database it is alive and not ready, and ready again afterwards', async () => {
    await service.database.query(
      `UPDATE pg_database SET datallowconn = false WHERE datname = '${service.database.name}'`,
    );
    await service.database.query(
      'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [service.database.name],
    );
    expect(await ready()).toEqual([
      503,
      { status: 'not_ready', database: 'unreachable', migrations: 'unknown', temporal: 'not_configured' },
    ]);
    expect((await fetch(`${service.urls.sandbox}/healthz`)).status).toBe(200);
    await service.database.query(
      `UPDATE pg_database SET datallowconn = true WHERE datname = '${service.database.name}'`,
    );
    expect((await readyOnceReachable())[0]).toBe(200);
  });
});

test('probes that arrive together are answered by one check, and a later one by a check of its own', async () => {
  const service = await startTestService();
  const log = createLogger('test', 'silent');
  const database = openDatabase(service.database.url('tollgate_app'), {
    max: 1,
    applicationName: 'probes',
    log,
  });
  let checks = 0;
  let answer = (): void => undefined;
  const ping = (): Promise<void> => {
    checks += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const readiness = createReadiness(database, ping, log);
  try {
    for (const expected of [1, 2]) {
      const probes = Array.from({ length: 100 }, () => readiness());
      answer();
      const states = await Promise.all(probes);
      expect(new Set(states).size).toBe(1);
      expect([states[0]?.temporal, checks]).toEqual(['reachable', expected]);
    }
  } finally {
    await database.destroy();
    await service.stop();
  }
});

test('readiness follows whether Temporal answers', async () => {
  const log = createLogger('test', 'silent');
  const database = openDatabase('postgres://nobody@127.0.0.1:1/none', {
    max: 1,
    applicationName: 'test',
    log,
  });
  const temporal = async (ping: () => Promise<void>): Promise<string> =>
    (await createReadiness(database, ping, log)()).temporal;
  try {
    expect(await temporal(() => Promise.resolve())).toBe('reachable');
    expect(await temporal(() => Promise.reject(new Error('It is away.')))).toBe('unreachable');
    const client = createTemporalClient({ address: '127.0.0.1:1', namespace: 'default' });
    expect(await temporal(() => pingTemporal(client, systemClock))).toBe('unreachable');
    await client.connection.close();
  } finally {
    await database.destroy();
  }
});

interface Line {
  msg: string;
  reason?: string;
}

test('why the database or Temporal is unreachable is logged once, and that it is back', async () => {
  const lines: Line[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line) => lines.push(JSON.parse(line) as Line) },
  );
  const silent = createLogger('test', 'silent');
  const database = openDatabase('postgres://nobody@127.0.0.1:1/none', {
    max: 1,
    applicationName: 'test',
    log: silent,
  });
  let failure: Error | undefined = new Error('certificate has expired\nand its stack');
  const ping = (): Promise<void> => (failure === undefined ? Promise.resolve() : Promise.reject(failure));
  const readiness = createReadiness(database, ping, log);
  try {
    await readiness();
    await readiness();
    failure = undefined;
    await readiness();
    await readiness();
  } finally {
    await database.destroy();
  }
  // Both are checked at the same time.
  expect(lines.map(({ msg, reason }) => [msg, reason]).sort()).toEqual([
    ['Temporal is reachable again', undefined],
    ['Temporal is unreachable', 'certificate has expired'],
    ['the database is unreachable', expect.stringContaining('ECONNREFUSED')],
  ]);
});

describe('metrics', () => {
  const service = useService();

  test('are on a port of their own, with routes, pools and the process', async () => {
    const metrics = await startMetricsServer(service.api.metrics, { host: '127.0.0.1', port: 0 });
    try {
      await fetch(`${service.urls.sandbox}/v1/events?take=9`);
      await fetch(`${service.urls.sandbox}/nowhere/acct_42`);
      const answer = await fetch(`http://127.0.0.1:${metrics.port}/metrics`);
      const text = await answer.text();
      expect(answer.headers.get('content-type')).toContain('text/plain');
      expect(text).toMatch(
        /tollgate_http_request_duration_seconds_count\{host="sandbox",route="\/v1\/events",status="401"\} 1/,
      );
      expect(text).toMatch(/tollgate_database_connections\{pool="general",state="used"\} \d/);
      expect(text).toMatch(/tollgate_database_connections\{pool="usage",state="waiting"\} 0/);
      expect(text).toContain('process_cpu_seconds_total');
      // Parts of an address that callers choose never become a label.
      expect(text).not.toContain('acct_42');
      expect((await fetch(`http://127.0.0.1:${metrics.port}/`)).status).toBe(404);
      for (const host of ['console', 'sandbox', 'production'] as const) {
        expect((await fetch(`${service.urls[host]}/metrics`)).status).toBe(404);
      }
    } finally {
      await metrics.stop();
    }
  });
});
