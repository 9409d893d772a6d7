import type { Random } from './random';

/** Placeholder for text that `JSON.stringify` would not write. */
const RAW = /"@raw (.*?) raw@"/g;
const raw = (text: string): string => `@raw ${text} raw@`;

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let n = 0; n < levels; n += 1) value = n % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Replacements for a value of any type. */
const STRANGE: readonly unknown[] = [
  ...[null, true, 0, -1, 0.1, 1e21, '', ' ', '0', 'null', [], {}, [[]], { a: null }],
  ...[
    '\0',
    '\ud800',
    '\ufffe',
    '💥'.repeat(50),
    'ﷺ'.repeat(200),
    'x'.repeat(5_000),
    '\u202e\u200b',
    'İ',
    'ß',
  ],
  ...["' OR 1=1 --", '%00', '../../etc/passwd', '${7*7}', '<script>', '__proto__', 'constructor', 'toString'],
  ...[
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ],
  ...['1e999', '-0', '00.1', '9'.repeat(60), 'NaN', '١٢٣', '1,5', 'P1M', '2026-11-22'],
  ...[raw('1e400'), raw('12345678901234567890'), raw('-0'), raw('0.10000000000000000000001'), raw('1E+2')],
  ...[raw('01'), raw('NaN'), raw('.5'), raw('"\\u0000"'), raw('"\\ud800"')],
  ...[9_007_199_254_740_991, -2_147_483_649, 2_147_483_648, nested(15), nested(40)],
  ...[
    Array.from({ length: 300 }, () => 0),
    Object.fromEntries(Array.from({ length: 260 }, (_, n) => [`m${n}`, n])),
  ],
];

/** Returns the value with an unexpected change in it. */
function mutated(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.below(value.length);
    return value.map((item: unknown, index) => (index === at ? mutated(random, item) : item));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && random.chance(0.85)) {
    const members = Object.entries<unknown>({ ...value });
    const at = random.below(members.length + 1);
    const added = random.pick(['unknown', '__proto__', '', 'id', 'constructor', '\0'] as const);
    const [name, member]: readonly [string, unknown] = members[at] ?? [added, 1];
    const others = members.filter((_, index) => index !== at);
    const kind = random.below(10);
    if (kind === 0) return Object.fromEntries(others);
    if (kind === 1) return Object.fromEntries([...others, [`${name}x`, member]]);
    return Object.fromEntries([...others, [name, mutated(random, member)]]);
  }
  return random.pick(STRANGE);
}

/** Returns the bytes of a body: valid, or with an error in its values or in its text. */
export function bodyBytes(random: Random, value: unknown): Buffer {
  const wrong = random.below(10);
  const meant = wrong < 3 ? value : mutated(random, wrong === 9 ? mutated(random, value) : value);
  const text = JSON.stringify(meant).replaceAll(RAW, (_, inner: string) =>
    inner.replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  );
  if (!random.chance(0.15)) return Buffer.from(text);
  const at = random.below(text.length + 1);
  switch (random.below(7)) {
    case 0:
      return Buffer.from(text.slice(0, at));
    case 1:
      return Buffer.from(`\ufeff${text}`);
    case 2:
      return Buffer.from(`${text}${random.pick([',', '}', ' {}', '\0', 'null'])}`);
    case 3:
      // A duplicate member.
      return Buffer.from(text.replace(/^\{("(?:[^"\\]|\\.)*":)/, '{$1 1,$1'));
    case 4:
      return Buffer.concat([
        Buffer.from(text.slice(0, at)),
        Buffer.from([0xff, 0xc0]),
        Buffer.from(text.slice(at)),
      ]);
    case 5:
      return Buffer.from(
        text.slice(0, at) + random.pick(['"', '\\', '[', '{', ':', '\n', '/*']) + text.slice(at),
      );
    default:
      return Buffer.from('['.repeat(1 + random.below(5_000)));
  }
}

const PARTS = [
  '%00',
  '%',
  '%ed%a0%80',
  '%2e%2e%2f',
  "'--",
  ' ',
  '%20',
  '\u00e9',
  '💥',
  '..',
  '.',
  ';a=b',
  '%2f',
  'x'.repeat(3_000),
  '0',
  'null',
  '__proto__',
] as const;

/** Returns a strange path segment or parameter value. */
export function strangePart(random: Random): string {
  return random.pick(PARTS);
}

const HEADERS: readonly string[] = [
  ...[
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=utf-16',
    'Content-Type:',
    'Content-Encoding: gzip',
  ],
  ...[
    'Idempotency-Key:',
    `Idempotency-Key: ${'k'.repeat(300)}`,
    'Idempotency-Key: "quoted"',
    'Idempotency-Key: \u00e9\u0001',
  ],
  ...[
    'Authorization: Bearer',
    'Authorization: Basic YTpi',
    'Authorization: Bearer x, Bearer y',
    'Cookie: ;;=;==',
  ],
  ...[
    'Cookie: tollgate_session=%00; tollgate_device=x',
    'Origin: https://evil.test',
    'Sec-Fetch-Site: cross-site',
  ],
  ...[
    'X-Forwarded-For: 1.2.3.4, \u00e9',
    'Host:',
    'Host: [::1',
    'Expect: 100-continue',
    'Expect: a miracle',
    'Range: bytes=0-',
  ],
  ...[
    'Last-Event-ID: \u00e9',
    'Last-Event-ID: evt_0',
    'If-None-Match: *',
    'Accept: image/png',
    'Accept-Encoding: gzip;q=x',
    'Transfer-Encoding: chunked',
  ],
  ...[
    'Transfer-Encoding: gzip, chunked',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'X-HTTP-Method-Override: DELETE',
  ],
  ...[
    'no header',
    ' folded: x',
    `X-Long: ${'x'.repeat(20_000)}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    '__proto__: x',
  ],
];

export function strangeHeader(random: Random): string {
  return random.pick(HEADERS) ?? '';
}
