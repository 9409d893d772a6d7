import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { callerAddress } from '../../src/http/caller-address';

/** A request from 10.0.0.1 with this `X-Forwarded-For`. */
function requestWith(forwarded: string | undefined): IncomingMessage {
  const request: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress: string } } = {
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '10.0.0.1' },
  };
  return request as unknown as IncomingMessage;
}

test.each([
  [0, undefined, '10.0.0.1'],
  [0, '192.0.2.1', '10.0.0.1'],
  [1, undefined, '10.0.0.1'],
  [1, '', '10.0.0.1'],
  [1, '192.0.2.1', '192.0.2.1'],
  [1, '198.51.100.7, 192.0.2.1', '192.0.2.1'],
  [2, '203.0.113.9, 198.51.100.7 ,192.0.2.1', '198.51.100.7'],
  [2, '192.0.2.1', '192.0.2.1'],
])('behind %i proxies, %s is %s', (trusted, forwarded, address) => {
  const request = requestWith(forwarded);
  expect(callerAddress(request, trusted)).toBe(address);
  // Koa must derive the same address for the other routes.
  const koa = new Koa({ proxy: trusted > 0, maxIpsCount: trusted });
  const ctx = koa.createContext(request, { setHeader: () => undefined } as never);
  expect(ctx.ip).toBe(address);
});

test.each([
  ['192.0.2.1:49152', '192.0.2.1'],
  ['[2001:db8::1]:49152', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', 'unknown'],
])('a proxy that names %s means %s, whatever the port', (forwarded, address) => {
  expect(callerAddress(requestWith(forwarded), 1)).toBe(address);
});
