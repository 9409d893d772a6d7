import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signedHeaders } from '../../src/webhook-deliveries/signature';
import { newSecret } from '../../src/webhook-endpoints/sealed-secret';

/** The page's code verifies genuine webhooks, and refuses others. */
const ROOT = path.join(__dirname, '..', '..');
const page = readFileSync(path.join(ROOT, 'docs', 'outgoing-webhooks.md'), 'utf8');
const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-docs-'));
symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function blockOf(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  if (block === undefined) throw new Error(`The page has no ${language}.`);
  return block;
}

const PROGRAMS = {
  javascript: {
    command: process.execPath,
    file: 'verify.mjs',
    main: `import { readFileSync } from 'node:fs';
const { secret, headers, body } = JSON.parse(readFileSync(0, 'utf8'));
try { console.log(verify(secret, headers, Buffer.from(body)).id); } catch { console.log('refused'); }`,
  },
  python: {
    command: 'python3',
    file: 'verify.py',
    main: `import sys
given = json.load(sys.stdin)
try:
    print(verify(given["secret"], given["headers"], given["body"].encode())["id"])
except ValueError:
    print("refused")`,
  },
};

test.each(['javascript', 'python'] as const)(
  'the page’s receiver in %s accepts what is signed, and refuses everything else',
  (language) => {
    const { command, file, main } = PROGRAMS[language];
    writeFileSync(path.join(directory, file), `${blockOf(language)}\n${main}\n`);
    const verdict = (message: object): string =>
      execFileSync(command, [path.join(directory, file)], {
        input: JSON.stringify(message),
        encoding: 'utf8',
      }).trim();
    const [old, secret] = [newSecret(), newSecret()];
    const body = '{"id":"msg_1","data":"Zoë"}';
    const sign = (secrets: string[], at = Date.now()) =>
      signedHeaders(secrets, { messageId: 'msg_1', payload: body }, at);
    expect(verdict({ secret, headers: sign([secret]), body })).toBe('msg_1');
    expect(verdict({ secret: old, headers: sign([secret, old]), body })).toBe('msg_1');
    expect(verdict({ secret: old, headers: sign([secret]), body })).toBe('refused');
    expect(verdict({ secret, headers: sign([secret]), body: `${body} ` })).toBe('refused');
    expect(verdict({ secret, headers: sign([secret], Date.now() - 400_000), body })).toBe('refused');
    // What anybody else may send.
    expect(verdict({ secret, headers: {}, body })).toBe('refused');
    for (const header of Object.keys(sign([secret]))) {
      expect(verdict({ secret, headers: { ...sign([secret]), [header]: 'é' }, body })).toBe('refused');
      expect(verdict({ secret, headers: { ...sign([secret]), [header]: 'v1,é' }, body })).toBe('refused');
    }
  },
);
