import { isReturnOrigin, mayReturnTo, returnUrlOfConnection } from '../../src/domain/return-origins';

test.each<[string, boolean]>([
  ['https://app.example.com', true],
  ['https://app.example.com:8443', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['https://app.example.com/', false],
  ['https://app.example.com:443', false],
  ['https://APP.example.com', false],
  ['https://user@app.example.com', false],
  ['http://app.example.com', false],
  ['http://localhost.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['javascript://app.example.com', false],
])('%s as an origin: %p', (written, is) => {
  expect(isReturnOrigin(written)).toBe(is);
});

const origins = ['https://app.example.com', 'http://localhost:3000'];

test.each<[string, readonly string[], 'sandbox' | 'production', boolean]>([
  ['https://anywhere.test/x', [], 'sandbox', true],
  ['https://anywhere.test/x', [], 'production', false],
  ['https://app.example.com/done?id=1#x', origins, 'production', true],
  ['https://APP.example.com:443/done', origins, 'production', true],
  ['http://localhost:3000/done', origins, 'sandbox', true],
  ['https://app.example.com.attacker.test/', origins, 'production', false],
  ['https://app.example.com@attacker.test/', origins, 'production', false],
  ['https://app.example.com:8443/', origins, 'production', false],
  ['http://app.example.com/', origins, 'sandbox', false],
  ['https://other.test/', origins, 'sandbox', false],
])('%s with %j in %s: %p', (address, allowed, environment, may) => {
  expect(mayReturnTo(address, allowed, environment)).toBe(may);
});

const page = 'https://tollgate.test/checkout/return';
test.each<[unknown, 'sandbox' | 'production', string]>([
  ['https://shop.example/back', 'production', 'https://shop.example/back'],
  ['http://localhost:3000/back', 'sandbox', 'http://localhost:3000/back'],
  ['http://localhost:3000/back', 'production', page],
  ['http://shop.example/back', 'sandbox', page],
  ['shop.example/back', 'sandbox', page],
  ['https://shop.example/a b', 'sandbox', page],
  [undefined, 'sandbox', page],
  [{}, 'sandbox', page],
])('a connection with the return address %j in %s', (returnUrl, environment, expected) => {
  expect(returnUrlOfConnection({ returnUrl }, environment, page)).toBe(expected);
});
