import { openDatabase, type Database } from '../../src/db/pools';
import { ipPrefix } from '../../src/operators/ip-prefix';
import { ACCOUNT_ATTEMPTS, createLoginThrottle } from '../../src/operators/login-throttle';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

let scratch: TestDatabase;
let database: Database;
beforeAll(async () => {
  scratch = await createTestDatabase();
  const log = createLogger('test', 'fatal');
  database = openDatabase(scratch.url('tollgate_app'), { max: 4, applicationName: 'test', log });
});
afterAll(async () => {
  await database.destroy();
  await scratch.drop();
});

const refused = { code: 'login_throttled' };

test('a full window empties by itself', async () => {
  const throttle = createLoginThrottle(database, 1);
  const guess = (): Promise<void> => throttle.attempt({ email: 'window@example.test', ip: '192.0.2.1' });
  // A window may end between any two guesses, so the test waits for both states.
  let refusals: unknown[] = [];
  await until(async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: ACCOUNT_ATTEMPTS + 5 }, guess));
    refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    return refusals.length > 0;
  });
  expect(refusals[0]).toMatchObject({ ...refused, retryAfter: 1 });
  await until(async () => {
    const [outcome] = await Promise.allSettled([guess()]);
    return outcome.status === 'fulfilled';
  });
});

test('attempts that were right, however many at once, leave the window open', async () => {
  const throttle = createLoginThrottle(database);
  const attempt = { email: 'concurrent@example.test', ip: '192.0.2.20' };
  const logIn = async (): Promise<void> => {
    await throttle.attempt(attempt);
    await throttle.takeBack(attempt);
  };
  const begun = Array.from({ length: ACCOUNT_ATTEMPTS }, () => throttle.attempt(attempt));
  await Promise.all(begun);
  await expect(throttle.attempt(attempt)).rejects.toMatchObject(refused);
  await Promise.all(begun.map(() => throttle.takeBack(attempt)));
  for (let n = 0; n < ACCOUNT_ATTEMPTS; n += 1) await logIn();
});

test('attempts that were refused next to successful ones do not count, and allow no further guess', async () => {
  const throttle = createLoginThrottle(database);
  const attempt = { email: 'refused@example.test', ip: '192.0.2.21' };
  const many = Array.from({ length: 3 * ACCOUNT_ATTEMPTS }, () => throttle.attempt(attempt));
  const outcomes = await Promise.allSettled(many);
  const admitted = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(admitted).toHaveLength(ACCOUNT_ATTEMPTS);
  for (const process of [throttle, createLoginThrottle(database)])
    await expect(process.attempt(attempt)).rejects.toMatchObject(refused);
  await Promise.all(admitted.map(() => throttle.takeBack(attempt)));
  const again = await Promise.allSettled(many.map(() => throttle.attempt(attempt)));
  expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(ACCOUNT_ATTEMPTS);
});

test('the attempts at several processes count together', async () => {
  const processes = [createLoginThrottle(database), createLoginThrottle(database)];
  const guesses = processes.flatMap((throttle) =>
    Array.from({ length: ACCOUNT_ATTEMPTS }, () =>
      throttle.attempt({ email: 'shared@example.test', ip: '192.0.2.50' }),
    ),
  );
  const outcomes = await Promise.allSettled(guesses);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(ACCOUNT_ATTEMPTS);
});

test('strangers hold up neither another address, nor a known device, nor a session', async () => {
  const throttle = createLoginThrottle(database);
  const email = 'held@example.test';
  const guess = (): Promise<void> => throttle.attempt({ email, ip: '192.0.2.66' });
  await Promise.allSettled(Array.from({ length: ACCOUNT_ATTEMPTS }, guess));
  await expect(guess()).rejects.toMatchObject(refused);
  await throttle.attempt({ email, ip: '192.0.2.67' });
  for (const kind of ['device', 'session'] as const) {
    const known = { kind, id: 'one' };
    for (let n = 0; n < ACCOUNT_ATTEMPTS; n += 1) await throttle.attempt({ email, ip: '192.0.2.66', known });
    await expect(throttle.attempt({ email, ip: '192.0.2.66', known })).rejects.toMatchObject(refused);
  }
});

test('an attempt that is refused because strangers guess from everywhere does not count at its own address', async () => {
  const throttle = createLoginThrottle(database);
  const email = 'everywhere@example.test';
  const guesses = Array.from({ length: 100 }, (_, n) => ({ email, ip: `198.51.100.${n}` }));
  for (const guess of guesses) await throttle.attempt(guess);
  const attempt = { email, ip: '192.0.2.30' };
  for (let n = 0; n <= ACCOUNT_ATTEMPTS; n += 1)
    await expect(throttle.attempt(attempt)).rejects.toMatchObject(refused);
  await Promise.all(guesses.map((guess) => throttle.takeBack(guess)));
  await throttle.attempt(attempt);
});

test('the e-mail address is not kept', async () => {
  await createLoginThrottle(database).attempt({ email: 'private@example.test', ip: '192.0.2.99' });
  const rows = await scratch.query('SELECT key FROM tollgate.login_throttle');
  expect(JSON.stringify(rows)).not.toContain('private@');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (ip, block) => {
  expect(ipPrefix(ip)).toBe(block);
});
