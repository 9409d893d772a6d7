import type { DescribedRoute } from './described-route';
import { bodyBytes, strangeHeader, strangePart } from './mutations';
import type { Random } from './random';
import { validValue, type Known } from './valid-value';

/** A request as bytes, with the properties by which its answer is judged. */
export interface MadeRequest {
  method: string;
  bytes: Buffer;
  /** The request announces more than it contains: its sender disconnects. */
  isCut: boolean;
  /** Its method and path are the route's. */
  isOfRoute: boolean;
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'CONNECT',
  'NONSENSE',
  'get',
] as const;

/** Makes a call of a route, with an error in about four of five. */
export function makeRequest(
  random: Random,
  route: DescribedRoute,
  of: { known: Known; credentials: readonly string[]; workspace: readonly [string, string][] },
): MadeRequest {
  const method = random.chance(0.03) ? random.pick(METHODS) : route.method;
  const value = (): string =>
    random.chance(0.1) ? strangePart(random) : encodeURIComponent(random.pick(of.known) ?? 'x');
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'provider' && random.chance(0.9) ? `provider_${random.pick(['a', 'b', 'c'])}` : value(),
  );
  const address = random.chance(0.03) ? `${path}/${strangePart(random)}` : path;
  const query = queryOf(random, route, of);
  const headers = headersOf(random, route, of.credentials);
  let body: Buffer = Buffer.alloc(0);
  if (route.body !== undefined || random.chance(0.03)) {
    const shape = route.body ?? {};
    body = bodyBytes(random, validValue(random, route.schemas, shape, of.known));
    headers.push('Content-Type: application/json');
  }
  if (body.length > 0 || random.chance(0.1)) headers.push(`Content-Length: ${body.length}`);
  const head = [`${method} ${address}${query === '' ? '' : `?${query}`} HTTP/1.1`, ...headers].join('\r\n');
  const isCut = headers.some((header) =>
    /^(?:Transfer-Encoding: |Content-Length: (?:5|9{5,})$)/.test(header),
  );
  // Parts that a router reads as another path.
  const isOther = /\/(?:\.{1,2})?(?:\/|$)|%2f|[; ]/i.test(path);
  const isOfRoute = method === route.method && address === path && !isOther;
  return { method, isCut, isOfRoute, bytes: Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]) };
}

function queryOf(
  random: Random,
  route: DescribedRoute,
  { known, workspace }: { known: Known; workspace: readonly [string, string][] },
): string {
  const pairs: string[] = [];
  for (const [name, value] of workspace) if (!random.chance(0.02)) pairs.push(`${name}=${value}`);
  for (const { name, schema, required } of route.query) {
    if (workspace.some(([its]) => its === name) || !(required || random.chance(0.4))) continue;
    const value = validValue(random, route.schemas, schema, known);
    pairs.push(`${name}=${random.chance(0.3) ? strangePart(random) : encodeURIComponent(String(value))}`);
  }
  if (random.chance(0.04))
    pairs.push(random.pick(['=', '&&', 'a[]=1', 'x'.repeat(2_000), '__proto__=1', 'take=1&take=2']));
  return pairs.join('&').replaceAll(' ', '%20');
}

function headersOf(random: Random, { takesKey }: DescribedRoute, credentials: readonly string[]): string[] {
  const headers = ['Host: 127.0.0.1', 'Connection: close'];
  if (!random.chance(0.03)) headers.push(...credentials);
  if (takesKey && !random.chance(0.1)) headers.push(`Idempotency-Key: key-${random.below(200)}`);
  if (random.chance(0.08)) headers.push(strangeHeader(random));
  return headers;
}
