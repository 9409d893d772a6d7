import { hash } from '@node-rs/argon2';
import { hashPassword, verifyPassword } from '../../src/operators/password';
import { ACCOUNT_ATTEMPTS } from '../../src/operators/login-throttle';
import { createOperator, testPassword } from '../support/operator';
import { password as logInWith } from '../support/second-factor';
import { useService } from '../support/use-service';

const service = useService();

test('two passwords are compared at once, two hundred wait, and one more is refused with Retry-After', async () => {
  const stored = await hashPassword('correct horse battery staple');
  // A nonexistent account takes up a place and costs the same work.
  const logins = Array.from({ length: 202 }, (_, n) =>
    verifyPassword(n % 2 === 0 ? stored : null, 'correct horse battery staple'),
  );
  for (const password of [stored, null]) {
    await expect(verifyPassword(password, 'one more')).rejects.toMatchObject({
      code: 'service_busy',
      retryAfter: 5,
    });
  }
  await expect(hashPassword('another horse battery')).rejects.toMatchObject({ code: 'service_busy' });
  expect(await Promise.all(logins)).toEqual(logins.map((_, n) => n % 2 === 0));
  expect(await verifyPassword(stored, 'correct horse battery staple')).toBe(true);
});

test('a log-in that is refused because so many are compared is no guess', async () => {
  const { email } = await createOperator(service.database);
  const logIn = async (): Promise<number> => (await logInWith(service.urls.console, email)).status;
  const cheap = await hash(testPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  let isBusy = true;
  const keepBusy = async (): Promise<void> => {
    while (isBusy) await verifyPassword(cheap, testPassword);
  };
  const others = Array.from({ length: 202 }, keepBusy);
  const statuses: number[] = [];
  for (let attempt = 0; attempt <= ACCOUNT_ATTEMPTS; attempt += 1) statuses.push(await logIn());
  isBusy = false;
  await Promise.all(others);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(await logIn()).toBe(200);
});
