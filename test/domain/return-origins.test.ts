import {
  isReturnOrigin,
  mayReturnTo,
  returnUrlOfConnection,
  whyReturnUrlIsRefused,
} from '../../src/domain/return-origins';

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
  ['https://me:secret@shop.example/back', 'sandbox', page],
  [undefined, 'sandbox', page],
  [{}, 'sandbox', page],
])('a connection with the return address %j in %s', (returnUrl, environment, expected) => {
  expect(returnUrlOfConnection({ returnUrl }, environment, page)).toBe(expected);
});

test.each<[string, string | null]>([
  ['https://app.example.com/done?id=1#x', null],
  ['http://localhost:3000/done', null],
  ['https://app.example.com/@me:you', null],
  ['http://app.example.com/', 'is not an https address, and not http on loopback'],
  ['javascript:alert(1)', 'is not an https address, and not http on loopback'],
  ['app.example.com', 'is not an https address, and not http on loopback'],
  ['https://me@app.example.com/', 'has a user name or a password'],
  ['https://:secret@app.example.com/', 'has a user name or a password'],
  ['http://me:secret@localhost:3000/', 'has a user name or a password'],
  ['https://app.example.com:443@attacker.test/', 'has a user name or a password'],
  ['https://app.example.com\\@attacker.test/', 'is not an https address, and not http on loopback'],
  ['https://app.example.com/a\\b', 'is not an https address, and not http on loopback'],
  ['https:///app.example.com/', 'is not an https address, and not http on loopback'],
])('%s as an address to return to: %p', (address, why) => {
  expect(whyReturnUrlIsRefused(address)).toBe(why);
});
