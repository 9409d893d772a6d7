import { Registry } from 'prom-client';
import { pino } from 'pino';
import { createApp } from '../../src/http/app';
import { listen } from '../../src/server/listener';
import { createHttpMetrics } from '../../src/telemetry/http-metrics';

/** Returns the log lines of a host after requests with these addresses, as a proxy names them. */
async function linesOf(
  trustedProxies: number,
  forwarded: readonly (string | undefined)[],
): Promise<string[]> {
  const lines: string[] = [];
  const app = createApp({
    host: 'console',
    publicUrl: 'http://host.test',
    log: pino({}, { write: (line: string) => lines.push(line) }),
    metrics: createHttpMetrics(new Registry()),
    translateError: (error) => error,
    routes: [],
    authenticators: {},
    trustedProxies,
  });
  const listener = await listen(app, '127.0.0.1', 0, 'http://host.test');
  try {
    for (const address of forwarded) {
      const headers: Record<string, string> = address === undefined ? {} : { 'X-Forwarded-For': address };
      await (await fetch(`http://127.0.0.1:${listener.port}/x`, { headers })).arrayBuffer();
    }
  } finally {
    await listener.close();
  }
  return lines;
}

test('the first request through a proxy that is not configured logs a warning, once', async () => {
  expect(await linesOf(0, [undefined])).toEqual([]);
  const lines = await linesOf(0, [undefined, '192.0.2.1', '192.0.2.2']);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, setting: 'TOLLGATE_TRUSTED_PROXIES' });
  // A caller that sends the header cannot write its value into the log.
  expect(lines[0]).not.toContain('192.0.2.');
});

test('a request through a proxy that is configured logs no warning', async () => {
  expect(await linesOf(1, ['192.0.2.1'])).toEqual([]);
});
