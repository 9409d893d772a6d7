import { hash } from '@node-rs/argon2';
import { hashPassword, verifyPassword } from '../../src/operators/password';
import { ACCOUNT_ATTEMPTS } from '../../src/operators/login-throttle';
import { createOperator, testPassword } from '../support/operator';
import { password as logInWith } from '../support/second-factor';
import { useService } from '../support/use-service';

const service = useService();
/** A hash stores its own cost. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const accountOf = (n: number): string => `operator-${n}@example.test`;

test('two passwords are compared at once, two hundred wait, and one more is refused with Retry-After', async () => {
  const stored = await hashPassword('a@example.test', 'correct horse battery staple');
  // A nonexistent account takes up a place and costs the same work.
  const logins = Array.from({ length: 202 }, (_, n) =>
    verifyPassword(accountOf(n), n % 2 === 0 ? stored : null, 'correct horse battery staple'),
  );
  for (const password of [stored, null]) {
    await expect(verifyPassword('b@example.test', password, 'one more')).rejects.toMatchObject({
      code: 'service_busy',
      retryAfter: 5,
    });
  }
  await expect(hashPassword('b@example.test', 'another horse battery')).rejects.toMatchObject({
    code: 'service_busy',
  });
  expect(await Promise.all(logins)).toEqual(logins.map((_, n) => n % 2 === 0));
  expect(await verifyPassword('a@example.test', stored, 'correct horse battery staple')).toBe(true);
});

test('one account, however its address is written, leaves places to others', async () => {
  const stored = await hash(testPassword, CHEAP);
  const logIn = (email: string): Promise<boolean> => verifyPassword(email, stored, testPassword);
  const many = Array.from({ length: 50 }, (_, n) =>
    logIn(n % 2 === 0 ? 'one@example.test' : 'ONE@example.test'),
  );
  await expect(logIn('One@example.test')).rejects.toMatchObject({ code: 'service_busy', retryAfter: 5 });
  expect(await logIn('other@example.test')).toBe(true);
  expect(new Set(await Promise.all(many))).toEqual(new Set([true]));
  expect(await logIn('one@example.test')).toBe(true);
});

test('a log-in that is refused because so many are compared is no guess', async () => {
  const { email } = await createOperator(service.database);
  const logIn = async (): Promise<number> => (await logInWith(service.urls.console, email)).status;
  const stored = await hash(testPassword, CHEAP);
  let isBusy = true;
  const keepBusy = async (account: string): Promise<void> => {
    while (isBusy) await verifyPassword(account, stored, testPassword);
  };
  const others = Array.from({ length: 202 }, (_, n) => keepBusy(accountOf(n)));
  const statuses: number[] = [];
  for (let attempt = 0; attempt <= ACCOUNT_ATTEMPTS; attempt += 1) statuses.push(await logIn());
  isBusy = false;
  await Promise.all(others);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(await logIn()).toBe(200);
});
