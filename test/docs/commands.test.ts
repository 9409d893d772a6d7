import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Integrator } from '../support/integrator';
import { sendExamples } from './reference-examples';
import { SaasExample } from './saas-example';
import { makeStartPlace, printed, type StartPlace } from '../support/npm-start';

const ROOT = path.join(__dirname, '..', '..');

/** Blocks that install or change the project, and are not pasted alongside a running `npm start`. */
const ELSEWHERE = /^(?:git clone|npm test|docker compose)/m;

interface Block {
  language: string;
  text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(sh|js)\n(.*?)^```$/gms)]
    .map(([, language = '', block = '']) => ({ language, text: block }))
    .filter(({ text: block }) => !ELSEWHERE.test(block));
}

let place: StartPlace;
/** A folder that resembles the project's while `npm start` runs in it. */
let folder: string;

beforeAll(async () => {
  place = await makeStartPlace();
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-pages-'));
  for (const name of ['package.json', 'scripts', 'docs', 'examples', 'dist', 'node_modules'])
    symlinkSync(path.join(ROOT, name), path.join(folder, name));
  symlinkSync(place.directory, path.join(folder, '.data'));
  const { TEMPORAL_CLI_PATH = '' } = process.env;
  const started = place.start({ TEMPORAL_CLI_PATH });
  await printed(started, 'customers of the demo are billed by the simulated providers');
});
afterAll(async () => {
  await place.stop();
  await place.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Pastes the blocks one after another into one shell. @returns what each printed */
async function paste(blocks: readonly Block[]): Promise<string[]> {
  const END = '-- the end of a block --';
  const script = blocks.map(({ language, text }) => {
    const command = language === 'js' ? `node --input-type=module <<'END_OF_JS'\n${text}END_OF_JS` : text;
    return `${command}\necho; echo '${END}'\n`;
  });
  const { PATH, HOME } = process.env;
  const shell = spawn('bash', ['-e', '-o', 'pipefail'], {
    cwd: folder,
    env: { PATH, HOME, ...place.variables, TOLLGATE_DATA_DIR: '.data', PORT: '0' },
  });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(shell, 'close');
  shell.stdin.end(script.join('\n'));
  const [code] = (await ended) as [number];
  const results = output.split(`${END}\n`);
  if (code !== 0) throw new Error(`Block ${results.length} ended with ${code}:\n${errors}\n${output}`);
  expect(results.pop()).toBe('');
  return results;
}

/** The expected output of each block of a page, from its first block or a later one. */
const PAGES: readonly { page: string; from?: number; prints: readonly RegExp[] }[] = [
  {
    page: 'README.md',
    prints: [
      /"allowed":true/,
      /"recorded":true/,
      /"externalId":"acct_42"[^]*"status":"active"/,
      /^left: \d+/,
    ],
  },
  { page: 'docs/demo.md', prints: [/demo_a_active {2}active[^]*demo_c_checkout {2}incomplete/] },
  {
    page: 'docs/quickstart.md',
    prints: [
      /^\n$/,
      /"slug":"pro"[^]*"provider":"provider_c"/,
      /^Open http:\/\/127/,
      /^\n$/,
      /^http/,
      /^active Pro[^]*left: 99500\nThe customer confirms[^]*then change to scale[^]*\nimmediate /,
    ],
  },
  {
    page: 'docs/customer-portal.md',
    prints: [/"url":"http:[^"]+\/portal#[\w-]{43}"/, /^redirect to http:\S+\/portal$/m, /"ended":[12]/],
  },
  {
    page: 'docs/usage-history.md',
    prints: [/"key":"ai_tokens"|ai_tokens/, /"hasMore":[^]*\nid,externalId,/],
  },
  {
    page: 'docs/outgoing-webhooks.md',
    prints: [/^http.*hook/, /^\n$/, /^expired\n.*checkout\.expired {2}chk_.*-> 204\ncheckout\.expired chk_/],
  },
  {
    page: 'docs/tours/payment-providers.md',
    prints: [
      /demo@tollgate\.example/,
      /^(?:ok {3}\w.*\n){15}/,
      /^http/,
      /^HTTP [23]/,
      /charge\.success: unmatched/,
      /HTTP [23].*\nactive: /,
      /HTTP [23].*\npro: .*scale/i,
      /scale: [^]*scale/i,
      /subscription%2Fsandbox%2Fsub_/,
      /declined[^]*\npro\n/,
      /^7\n.*seats.*\n2\ntrue/,
    ],
  },
  {
    page: 'docs/tours/local-billing.md',
    prints: [/demo@tollgate\.example/, /on scale × 2,.*: \d+/, /starter/, /\nstarter: /, /\ncancelled/],
  },
  { page: 'docs/demo.md', from: 1, prints: [/The demo is back to its first state/] },
  // After the reset, everything is back in its first state.
  { page: 'docs/demo.md', prints: [/demo_a_active {2}active[^]*demo_c_checkout {2}incomplete/] },
  {
    page: 'README.md',
    prints: [
      /"allowed":true/,
      /"recorded":true/,
      /"externalId":"acct_42"[^]*"status":"active"/,
      /^left: \d+/,
    ],
  },
];

test.each(PAGES)('the commands of $page do what the page says', async ({ page, from = 0, prints }) => {
  const results = await paste(blocksOf(page).slice(from, from + prints.length));
  for (const [index, pattern] of prints.entries()) expect(results[index]).toMatch(pattern);
  expect(results.join('')).not.toContain('undefined');
});

interface DemoAccess {
  sandboxBaseUrl: string;
  sandboxKey: string;
}
const demoAccess = (): DemoAccess =>
  JSON.parse(readFileSync(path.join(place.directory, 'demo.json'), 'utf8')) as DemoAccess;

test('each example of the reference is accepted unchanged, and answered as the reference says', async () => {
  const { sandboxBaseUrl, sandboxKey } = demoAccess();
  await sendExamples(new Integrator(sandboxBaseUrl, sandboxKey));
});

(process.env['CHROMIUM_PATH'] === undefined ? test.skip : test)(
  'with nothing but the quickstart and a key, a stranger sells a plan through each provider',
  async () => {
    const { sandboxBaseUrl, sandboxKey } = demoAccess();
    const saas = await SaasExample.start(folder, {
      TOLLGATE_URL: sandboxBaseUrl,
      TOLLGATE_KEY: sandboxKey,
    });
    try {
      const atA = await saas.signIn('stranger_a');
      await saas.press(atA, 'Write a poem (500 tokens)');
      expect(await atA.getByRole('status').innerText()).toContain('no active subscription');
      await saas.buyPro(atA, 'A', 'Pay');
      // Otherwise Back would lead to a page that waits for the payment, even after a cancellation.
      expect(new URL(atA.url()).search).toBe('');
      expect(await saas.work(atA)).toBe('99500 left');
      expect(await saas.upgrade(atA)).toMatch(/Due now: about \$\d+/);
      await atA.getByRole('heading', { name: 'Your plan: Scale' }).waitFor();
      await saas.press(atA, 'Cancel my plan');
      await saas.press(atA, 'Keep my plan');
      await atA.getByRole('button', { name: 'Cancel my plan' }).waitFor();

      const atB = await saas.signIn('stranger_b');
      await saas.press(atB, 'Scale: pay with B');
      await atB.getByRole('button', { name: 'Subscribe with the wallet' }).waitFor();
      await atB.goBack();
      await saas.until(atB, 'Go on to the payment');
      await saas.press(atB, 'Choose another plan');
      await saas.buyPro(atB, 'B', 'Subscribe with the wallet');
      expect(await saas.upgrade(atB)).toContain('The customer confirms the change at the payment provider.');
      await saas.press(atB, 'Agree and subscribe');
      await saas.until(atB, /then change to scale/);
      await saas.press(atB, 'Cancel my plan');
      await saas.until(atB, 'Plans');

      const atC = await saas.signIn('stranger_c');
      await saas.buyPro(atC, 'C', 'Pay');
      expect(await saas.work(atC)).toBe('99500 left');
      expect(await atC.getByRole('link', { name: 'Change to Scale' }).count()).toBe(0);
      await saas.press(atC, 'Cancel my plan');
      await atC.getByRole('button', { name: 'Keep my plan' }).waitFor();
    } finally {
      await saas.stop();
    }
  },
);

test('without a running service, or without a demo, npm run demo:reset says what is missing', async () => {
  await place.stop();
  await expect(paste([{ language: 'sh', text: 'npm run demo:reset' }])).rejects.toThrow(
    /Tollgate does not run on .*: start it with npm start/,
  );
  const elsewhere = 'TOLLGATE_DATA_DIR=nowhere npm run demo:reset';
  await expect(paste([{ language: 'sh', text: elsewhere }])).rejects.toThrow(/There is no demo in .*nowhere/);
});

test('every block of every page is pasted, but for those of an installation', () => {
  const folders = ['.', 'docs', 'docs/tours'];
  const pages = folders.flatMap((under) =>
    readdirSync(path.join(ROOT, under))
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(under, name)),
  );
  const pasted = (page: string): number =>
    Math.max(
      0,
      ...PAGES.filter((one) => one.page === page).map(({ from = 0, prints }) => from + prints.length),
    );
  expect(pages.filter((page) => blocksOf(page).length !== pasted(page))).toEqual([
    'docs/payment-providers.md',
  ]);
});
