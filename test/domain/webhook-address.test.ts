import { BLOCKED_PORTS } from '../../src/domain/blocked-ports';
import { isRefusedAddress, whyUrlIsRefused } from '../../src/domain/webhook-address';

const PUBLIC_ONLY = { allowsLoopback: false };
const LOCAL = { allowsLoopback: true };

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://192.0.0.192/',
  'http://168.63.129.16/machine/',
  'http://[::ffff:168.63.129.16]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://１２７.０.０.１/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::10.0.0.1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:a00:1::]/',
  'http://[2001::1]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST/',
  'http://app.localhost/',
])('%s leads inside', (url) => {
  expect(whyUrlIsRefused(url, 'sandbox', PUBLIC_ONLY)).not.toBeNull();
});

test.each([
  ['ftp://example.com/', 'is not an http or https address'],
  ['file:///etc/passwd', 'is not an http or https address'],
  ['/hook', 'is not an absolute URL'],
  ['https://user@example.com/', 'has a user name or a password'],
  ['https://:secret@example.com/', 'has a user name or a password'],
  ['https://example.com/#part', 'has a fragment'],
  ['https://example.com:22/', 'has a port that is not for web servers'],
  ['https://example.com:6379/', 'has a port that is not for web servers'],
  ['https://example.com:5432/', 'has a port that is not for web servers'],
  ['http://example.com/', 'is not https'],
])('%s %s', (url, why) => {
  expect(whyUrlIsRefused(url, 'production', PUBLIC_ONLY)).toBe(why);
});

test.each([
  ['https://example.com/hook?a=b', 'production'],
  ['https://example.com:8443/', 'production'],
  ['https://8.8.8.8/', 'production'],
  ['https://[2606:4700::1111]/', 'production'],
  ['http://example.com:8080/', 'sandbox'],
] as const)('%s is good in %s', (url, environment) => {
  expect(whyUrlIsRefused(url, environment, PUBLIC_ONLY)).toBeNull();
});

test('where loopback is allowed, nothing else is, and plain http goes there in production, too', () => {
  for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', '[::ffff:127.0.0.1]:3000'])
    expect(whyUrlIsRefused(`http://${host}/`, 'production', LOCAL)).toBeNull();
  for (const host of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '[fe80::1]'])
    expect(whyUrlIsRefused(`http://${host}/`, 'sandbox', LOCAL)).toBe('is not a public address');
  expect(isRefusedAddress('192.168.0.1', LOCAL)).toBe(true);
});

test('text that is not an address is refused', () => {
  for (const text of ['', 'example.com', '1.2.3.4.5', 'fe80::1%eth0'])
    expect(isRefusedAddress(text, LOCAL)).toBe(true);
});

test.each(BLOCKED_PORTS)('port %i is one that fetch blocks, as browsers do', async (port) => {
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    cause: { message: 'bad port' },
  });
});

test('a webhook to a port of a database is refused, also where no browser blocks it', () => {
  expect(whyUrlIsRefused('https://example.com:27017/', 'production', PUBLIC_ONLY)).not.toBeNull();
  expect(BLOCKED_PORTS).not.toContain(27_017);
});
