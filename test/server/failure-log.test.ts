import { Registry } from 'prom-client';
import { pino } from 'pino';
import { TollgateError } from '../../src/domain/errors';
import { createApp } from '../../src/http/app';
import { listen } from '../../src/server/listener';
import { createHttpMetrics } from '../../src/telemetry/http-metrics';

/** Returns the status and log lines of a host when a request fails with this error. */
async function logOf(failure: Error): Promise<{ status: number; lines: Record<string, unknown>[] }> {
  const lines: Record<string, unknown>[] = [];
  const app = createApp({
    host: 'console',
    publicUrl: 'http://host.test',
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) }),
    metrics: createHttpMetrics(new Registry()),
    translateError: (error) => error,
    routes: [],
    before: [() => Promise.reject(failure)],
    authenticators: {},
    trustedProxies: 1,
  });
  const listener = await listen(app, '127.0.0.1', 0, 'http://host.test');
  try {
    const answer = await fetch(`http://127.0.0.1:${listener.port}/x`);
    await answer.arrayBuffer();
    return { status: answer.status, lines };
  } finally {
    await listener.close();
  }
}

test('an expected 503 is one line, with its reason and no stack', async () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:5432\n    at a statement of many\n    lines');
  const { status, lines } = await logOf(
    new TollgateError('service_unavailable', 'The database cannot be reached.', { retryAfter: 5, cause }),
  );
  expect(status).toBe(503);
  expect(lines).toMatchObject([
    {
      level: 40,
      msg: 'a request failed',
      code: 'service_unavailable',
      detail: 'The database cannot be reached.',
      reason: 'connect ECONNREFUSED 127.0.0.1:5432',
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/stack|\\n/);
});

test('a defect is logged with its stack', async () => {
  const { status, lines } = await logOf(new Error('nobody expected this'));
  expect(status).toBe(500);
  expect(lines).toMatchObject([
    { level: 50, err: { stack: expect.stringContaining('failure-log') as string } },
  ]);
});

test('a refusal is not logged', async () => {
  const { status, lines } = await logOf(new TollgateError('validation_failed', 'It is not valid.'));
  expect([status, lines]).toEqual([400, []]);
});
