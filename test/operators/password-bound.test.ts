import { hash } from '@node-rs/argon2';
import { hashPassword, verifyPassword } from '../../src/operators/password';
import { ACCOUNT_ATTEMPTS } from '../../src/operators/login-throttle';
import { createOperator, testPassword } from '../support/operator';
import { password as logInWith } from '../support/second-factor';
import { useService } from '../support/use-service';

const service = useService();
/** A hash stores its own cost. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const stranger = (email: string) => ({ email, isKnown: false });
const accountOf = (n: number) => stranger(`operator-${n}@example.test`);

test('two passwords are compared at once, two hundred wait, and one more is refused with Retry-After', async () => {
  const stored = await hashPassword('a@example.test', 'correct horse battery staple');
  // A nonexistent account takes up a place and costs the same work.
  const logins = Array.from({ length: 202 }, (_, n) =>
    verifyPassword(accountOf(n), n % 2 === 0 ? stored : null, 'correct horse battery staple'),
  );
  for (const password of [stored, null]) {
    await expect(verifyPassword(stranger('b@example.test'), password, 'one more')).rejects.toMatchObject({
      code: 'service_busy',
      retryAfter: 5,
    });
  }
  await expect(hashPassword('b@example.test', 'another horse battery')).rejects.toMatchObject({
    code: 'service_busy',
  });
  expect(await Promise.all(logins)).toEqual(logins.map((_, n) => n % 2 === 0));
  expect(await verifyPassword(stranger('a@example.test'), stored, 'correct horse battery staple')).toBe(true);
});

test('one account, however its address is written, leaves places to others', async () => {
  const stored = await hash(testPassword, CHEAP);
  const logIn = (email: string): Promise<boolean> => verifyPassword(stranger(email), stored, testPassword);
  const many = Array.from({ length: 40 }, (_, n) =>
    logIn(n % 2 === 0 ? 'one@example.test' : 'ONE@example.test'),
  );
  await expect(logIn('One@example.test')).rejects.toMatchObject({ code: 'service_busy', retryAfter: 5 });
  expect(await logIn('other@example.test')).toBe(true);
  expect(new Set(await Promise.all(many))).toEqual(new Set([true]));
  expect(await logIn('one@example.test')).toBe(true);
});

test('however many log-ins strangers begin with the password, its owner logs in from a known browser', async () => {
  const { email } = await createOperator(service.database);
  const logIn = (headers = {}) => logInWith(service.urls.console, email, headers);
  const { cookies } = await logIn();
  const stop = await keepBusy(Array.from({ length: 50 }, () => stranger(email)));
  const [unknown, known] = [await logIn(), await logIn({ Cookie: cookies[1]?.split(';')[0] ?? '' })];
  await stop();
  expect([unknown.status, known.status]).toEqual([503, 200]);
});

test('a log-in that is refused because so many are compared is no guess', async () => {
  const { email } = await createOperator(service.database);
  const logIn = async (): Promise<number> => (await logInWith(service.urls.console, email)).status;
  const stop = await keepBusy(Array.from({ length: 202 }, (_, n) => accountOf(n)));
  const statuses: number[] = [];
  for (let attempt = 0; attempt <= ACCOUNT_ATTEMPTS; attempt += 1) statuses.push(await logIn());
  await stop();
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(await logIn()).toBe(200);
});

/** Lets each of these compare one password after the other, as far as they get a place. @returns ends it */
async function keepBusy(claims: { email: string; isKnown: boolean }[]): Promise<() => Promise<void>> {
  const stored = await hash(testPassword, CHEAP);
  let isBusy = true;
  const others = claims.map(async (claim) => {
    while (isBusy) if ((await verifyPassword(claim, stored, testPassword).catch(() => null)) === null) return;
  });
  return async () => {
    isBusy = false;
    await Promise.all(others);
  };
}
