import { readFile } from 'node:fs/promises';
import { Registry } from 'prom-client';
import { pino } from 'pino';
import { TollgateError } from '../../src/domain/errors';
import { failureError } from '../../src/db/failure';
import { createApp, type AppOptions } from '../../src/http/app';
import { staticFile } from '../../src/http/docs/static-file';
import { listen } from '../../src/server/listener';
import { createHttpMetrics } from '../../src/telemetry/http-metrics';

interface Failed {
  status: number;
  headers: Headers;
  lines: Record<string, unknown>[];
}

/** Returns the answer and the log lines of a host when a request fails with this error. */
function logOf(failure: Error): Promise<Failed> {
  return answerOf({ before: [() => Promise.reject(failure)] });
}

async function answerOf(parts: Pick<AppOptions, 'before' | 'pages'>): Promise<Failed> {
  const lines: Record<string, unknown>[] = [];
  const app = createApp({
    host: 'console',
    publicUrl: 'http://host.test',
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) }),
    metrics: createHttpMetrics(new Registry()),
    translateError: failureError,
    routes: [],
    ...parts,
    authenticators: {},
    trustedProxies: 1,
  });
  const listener = await listen(app, '127.0.0.1', 0, 'http://host.test');
  try {
    const answer = await fetch(`http://127.0.0.1:${listener.port}/x`);
    await answer.arrayBuffer();
    return { status: answer.status, headers: answer.headers, lines };
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
      host: 'console',
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
    { level: 50, host: 'console', err: { stack: expect.stringContaining('failure-log') as string } },
  ]);
});

test('a refusal is not logged', async () => {
  const { status, lines } = await logOf(new TollgateError('validation_failed', 'It is not valid.'));
  expect([status, lines]).toEqual([400, []]);
});

test('a file of the pages that cannot be read is a defect, no outage of the database, and no cache keeps the problem', async () => {
  const read = () => readFile('/none/index.css');
  const page = staticFile({ type: 'text/css', cache: 'public, max-age=60', read });
  const { status, headers, lines } = await answerOf({ pages: [(router) => router.get('/x', page)] });
  expect([status, headers.get('Cache-Control'), headers.get('Retry-After')]).toEqual([500, 'no-store', null]);
  expect(JSON.stringify(lines)).toContain('/none/index.css');
});
