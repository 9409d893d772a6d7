import type { IncomingMessage } from 'node:http';

const NAME = 'host';

/** Returns whether a request lacks a Host header, which only HTTP/1.0 permits, or has several. */
export function isHostUnclear({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === NAME.length && name.toLowerCase() === NAME) hosts += 1;
  }
  return hosts === 0 ? httpVersion === '1.1' : hosts > 1;
}
