/** Bodies that fill their limit with the content that is most expensive to read, by description. */
export const HOSTILE_BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'unknown members': (bytes) => object(bytes, (n) => `"m${n.toString(36)}":1`),
  'as many members as may be': () => object(Infinity, (n) => `"m${n}":1`, 240),
  'unknown members with long names': (bytes) => object(bytes, (n) => `"${'m'.repeat(500)}${n}":1`),
  'one member, again and again': (bytes) => object(bytes, () => '"m":1'),
  'members with numbers for names': (bytes) => object(bytes, (n) => `"${n * 7919}":1`),
  'wrong metadata': () => `{"metadata":${object(Infinity, (n) => `"m${n}":{}`, 240)}}`,
  'metadata of full length': (bytes) =>
    `{"metadata":${object(bytes - 20, (n) => `"m${n}":"${'\\u00e9'.repeat(480)}"`, 34)}}`,
  'wrong settings': (bytes) => settings(object(bytes - 90, (n) => `"m${n}":[]`, 1_950)),
  'settings of full length': (bytes) =>
    settings(object(Math.min(bytes, 65_000) - 90, (n) => `"m${n}":"sk_${'x'.repeat(400)}"`)),
  'plans of full number': (bytes) =>
    settings(`{"planReferences":${object(Math.min(bytes, 64_000) - 110, (n) => `"p${n}":"r${n}"`, 1_950)}}`),
  'deep lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'deep objects': (bytes) => `${'{"a":'.repeat(bytes / 6 - 1)}1${'}'.repeat(bytes / 6 - 1)}`,
  'a list of objects': (bytes) => `[${'{"a":1},'.repeat(bytes / 8 - 2)}{}]`,
  'empty objects': (bytes) => `[${'{},'.repeat(bytes / 3 - 2)}{}]`,
  'one long number': (bytes) => `{"quantity":${'9'.repeat(bytes - 20)}}`,
  'many long numbers': (bytes) => `[${`0.${'1'.repeat(60)},`.repeat(bytes / 63 - 1)}1]`,
  'one long text': (bytes) => `{"externalId":"${'x'.repeat(bytes - 40)}"}`,
  'a text of escapes': (bytes) => `{"externalId":"${'\\u00e9'.repeat(bytes / 6 - 10)}"}`,
  'a text of backslashes': (bytes) => `{"externalId":"${'\\\\'.repeat(bytes / 2 - 20)}"}`,
  'a text of quotes': (bytes) => `{"externalId":"${'\\"'.repeat(bytes / 2 - 20)}"}`,
  'a text that does not end': (bytes) => `{"externalId":"${'\\"'.repeat(bytes / 2 - 20)}`,
  'large characters': (bytes) => `{"name":"${'😀'.repeat(bytes / 4 - 20)}"}`,
  'composed characters': (bytes) => `{"password":"${'ﷺ'.repeat(bytes / 3 - 20)}"}`,
  blanks: (bytes) => ' '.repeat(bytes - 2) + '{}',
  'almost e-mail addresses': (bytes) => same(bytes, ['email'], '@', 'a@'),
  'almost slugs': (bytes) => same(bytes, ['slug', 'planSlug', 'key', 'feature'], 'a', '-a'),
  'almost addresses': (bytes) => same(bytes, ['successUrl', 'cancelUrl', 'returnUrl'], 'http://', 'a.'),
  'almost times': (bytes) =>
    same(bytes, ['to', 'from', 'expiresAt', 'periodStart'], '2026-01-01T00:00:00', '0'),
  'almost amounts': (bytes) => same(bytes, ['amount', 'unitAmount', 'rate'], '0.', '0'),
  'an event of many lines': (bytes) =>
    `{"id":"evt_1","object":"event","livemode":false,"created":1,"type":"invoice.paid","data":{"object":{"object":"invoice","id":"in_1","lines":{"data":[${'{"id":"il_1","amount":1},'.repeat(bytes / 25 - 10)}{}]}}}}`,
};

/** Builds an object of members up to a length in bytes and a number of members. */
function object(bytes: number, member: (n: number) => string, most = Infinity): string {
  const members: string[] = [];
  let length = 2;
  for (let n = 0; n < most; n += 1) {
    const next = member(n);
    length += Buffer.byteLength(next) + 1;
    if (length > bytes) break;
    members.push(next);
  }
  return `{${members.join(',')}}`;
}

const settings = (value: string): string => `{"provider":"provider_a","displayName":"x","settings":${value}}`;

/** Builds members of these names, each as long as fits, that start validly and continue for long. */
function same(bytes: number, names: readonly string[], head: string, again: string): string {
  const each = Math.floor((bytes / names.length - 60) / again.length);
  return `{${names.map((name) => `"${name}":"${head}${again.repeat(each)}!"`).join(',')}}`;
}
