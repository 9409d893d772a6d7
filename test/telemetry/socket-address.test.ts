import { socketAddress } from '../../src/telemetry/socket-address';

test.each([
  ['127.0.0.1', '127.0.0.1:4004'],
  ['::1', '[::1]:4004'],
  ['::', '[::]:4004'],
])('%s', async (host, address) => {
  expect(await socketAddress(host, 4004)).toBe(address);
});

test('a name becomes its address, and one that leads nowhere is named', async () => {
  expect(await socketAddress('localhost', 4004)).toMatch(/^(127\.0\.0\.1|\[::1\]):4004$/);
  await expect(socketAddress('name.invalid', 4004)).rejects.toThrow('name.invalid');
});
