import { hashPassword, verifyPassword } from '../../src/operators/password';

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
