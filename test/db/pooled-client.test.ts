import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { classifyFailure } from '../../src/db/failure';
import { openPipelinedPool } from '../../src/db/pools';
import { openQueuePool } from '../../src/relay/queue-pool';
import { createLogger } from '../../src/telemetry/logger';
import { createAuthority } from '../support/certificates';
import { listenLocally } from '../support/listen-locally';

const log = createLogger('test', 'silent');

test.each<[string, (url: string) => Pool]>([
  ['check and track', (url) => openPipelinedPool(url, { max: 1, applicationName: 'test', log })],
  ['the relay', (url) => openQueuePool(url, 1, log)],
])('a caller of the pool of %s who waits while a certificate is missing is told', async (_, open) => {
  const authority = path.join(mkdtempSync(path.join(tmpdir(), 'tollgate-pooled-client-')), 'ca.pem');
  writeFileSync(authority, createAuthority().cert);
  const server = createServer((socket) => {
    // The client of the second caller is constructed once this connection is lost.
    rmSync(authority, { force: true });
    socket.destroy();
  });
  const port = await listenLocally(server);
  const pool = open(`postgres://role:x@127.0.0.1:${port}/none?sslmode=verify-full&sslrootcert=${authority}`);
  const failures = await Promise.all([1, 2, 3].map(() => pool.connect().catch((error: unknown) => error)));
  for (const failure of failures) {
    const cause: unknown = failure instanceof Error ? (failure.cause ?? failure) : failure;
    expect(classifyFailure(cause)).toBe('connection');
  }
  expect(String(failures[2])).toContain('ENOENT');
  await pool.end();
  server.close();
});
