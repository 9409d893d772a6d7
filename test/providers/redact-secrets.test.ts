import { redactSecrets } from '../../src/providers/redact-secrets';

const access = {
  secrets: { clientId: 'client-of-test', clientSecret: 'secret-of-test', webhookId: 'short' },
};
const mask = (words: string): string => redactSecrets(access, words);

test('the secrets of the connection are masked wherever they are quoted', () => {
  expect(mask('refused: secret-of-test for client-of-test')).toBe('refused: •••• for ••••');
});

test('what a quoted Authorization header carries is masked, although it is not a stored secret', () => {
  const basic = Buffer.from('client-of-test:secret-of-test').toString('base64');
  expect(mask(`authorization Basic ${basic} host example.com`)).toBe(
    'authorization Basic •••• host example.com',
  );
  expect(mask('{"authorization":"bearer A21AAF-echoed.token_0123"}')).toBe('{"authorization":"bearer ••••"}');
});

test('words that only look alike stay', () => {
  const words = 'A short Bearer token, or Basic authentication, is missing.';
  expect(mask(words)).toBe(words);
});
