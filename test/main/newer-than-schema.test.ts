import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { processSettings } from '../support/process-settings';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.query(
    `UPDATE tollgate_migrations.applied SET name = 'none_' || name
      WHERE name = (SELECT max(name) FROM tollgate_migrations.applied)`,
  );
});
afterEach(migrateLast);

async function migrateLast(): Promise<void> {
  await database.query(
    `UPDATE tollgate_migrations.applied SET name = substr(name, 6) WHERE starts_with(name, 'none_')`,
  );
}

const WAITS = /older than this build: waiting until npm run migrate has run/;

function start(name: string): EntryPoint {
  return new EntryPoint(name, {
    ...processSettings(database),
    // Nothing listens there.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  });
}

test.each([
  ['worker', /the worker failed and is retried/],
  ['relay', /the relay failed and is retried/],
  ['deliver', /"delivering"/],
  ['maintain', /developer events have their partitions/],
])('%s begins only when every migration of its build has run', async (name, begins) => {
  const running = start(name);
  try {
    await running.says(WAITS);
    expect(running.output).not.toMatch(begins);
    await migrateLast();
    await running.says(begins);
    running.child.kill('SIGTERM');
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(running.output.match(new RegExp(WAITS, 'g'))).toHaveLength(1);
  } finally {
    running.kill();
  }
});

test('a process that waits for migrations ends when it is asked to', async () => {
  const running = start('maintain');
  try {
    await running.says(WAITS);
    running.child.kill('SIGTERM');
    expect(await running.exit).toEqual({ code: 0, signal: null });
  } finally {
    running.kill();
  }
});
