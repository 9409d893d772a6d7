import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Returns the log lines for a statement that Postgres refuses, as the driver throws it and as Objection wraps it. */
async function logOf(statement: string): Promise<string[]> {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line: string) => lines.push(line) });
  const failure: unknown = await client.query(statement).then(
    () => undefined,
    (error: unknown) => error,
  );
  log.error({ err: failure }, 'a statement failed');
  log.error({ err: Object.assign(new Error('it failed'), { nativeError: failure }) }, 'a statement failed');
  return lines;
}

const OPERATOR = (id: string): string =>
  `INSERT INTO tollgate.operators (id, email, name, password_hash, is_platform_administrator, created_at, password_changed_at)
   VALUES (${id}, 'ada@example.test', 'Ada Lovelace', 'argon2-hash', false, now(), now())`;

test('the row that Postgres quotes when it refuses it is in no line, and what it refused it by is', async () => {
  const notNull = await logOf(OPERATOR('NULL'));
  await client.query(OPERATOR(`'op_1'`));
  const duplicate = await logOf(OPERATOR(`'op_2'`));
  const lines = [...notNull, ...duplicate];
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).not.toMatch(/ada@example\.test|Lovelace|argon2-hash/);
    expect(line).toContain('"code":"23');
  }
});

const ROOT = path.join(__dirname, '..', '..');
/** Accepts nothing, as a file on a full disk does. */
const FULL = '/dev/full';

/** Runs a script that has a logger `log`, with its standard output at `output`. */
function runLogging(script: string, output: number | 'pipe'): ChildProcess {
  const logger = `const log = require('./src/telemetry/logger.ts').createLogger('test', 'info');`;
  const loader = ['-r', './test/support/typescript.cjs', '-e', `${logger}${script}`];
  return spawn(process.execPath, loader, { cwd: ROOT, stdio: ['ignore', output, 'ignore'], timeout: 60_000 });
}

(existsSync(FULL) ? test : test.skip)(
  'a process goes on, and ends, while its log is on a full disk',
  async () => {
    const script = `
    log.info('one');
    setTimeout(() => {
      log.info('two');
      setTimeout(() => { process.exit(7); }, 100);
    }, 100);`;
    expect(await once(runLogging(script, openSync(FULL, 'w')), 'exit')).toEqual([7, null]);
  },
);

const LAST_WORDS = `log.info('one'); log.info('two'); log.info('three €'); process.exit(7);`;

test('the last lines of a process that ends at once are written, and it ends if nobody reads them', async () => {
  const read = runLogging(LAST_WORDS, 'pipe');
  const output: Buffer[] = [];
  read.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  expect(await once(read, 'close')).toEqual([7, null]);
  expect(Buffer.concat(output).toString()).toMatch(/"two".*\n.*"three €"/);

  // A supervisor that was killed.
  const unread = runLogging(LAST_WORDS, 'pipe');
  unread.stdout?.destroy();
  expect(await once(unread, 'exit')).toEqual([7, null]);
});
