import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeStartPlace, printed, type StartPlace } from '../support/npm-start';

const ROOT = path.join(__dirname, '..', '..');

/** What makes an installation or a change of the project, and is not pasted beside a running `npm start`. */
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
/** A folder that looks as the project's does while `npm start` runs in it. */
let folder: string;

beforeAll(async () => {
  place = await makeStartPlace();
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-pages-'));
  for (const name of ['package.json', 'scripts', 'docs', 'dist', 'node_modules'])
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

/** Pastes the blocks one after the other into one shell. @returns what each printed */
async function paste(blocks: readonly Block[]): Promise<string[]> {
  const END = '-- the end of a block --';
  const script = blocks.map(({ language, text }) => {
    const command = language === 'js' ? `node --input-type=module <<'END_OF_JS'\n${text}END_OF_JS` : text;
    return `${command}\necho; echo '${END}'\n`;
  });
  const { PATH, HOME } = process.env;
  const shell = spawn('bash', ['-e', '-o', 'pipefail'], {
    cwd: folder,
    env: { PATH, HOME, ...place.variables, TOLLGATE_DATA_DIR: '.data' },
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

/** What each block of a page has to print, from its first block on or from a later one. */
const PAGES: readonly { page: string; from?: number; prints: readonly RegExp[] }[] = [
  { page: 'README.md', prints: [/"allowed":true/, /"recorded":true/, /^left: \d+/] },
  { page: 'docs/demo.md', prints: [/demo_a_active {2}active[^]*demo_c_checkout {2}incomplete/] },
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
  // After the reset everything is as it was.
  { page: 'docs/demo.md', prints: [/demo_a_active {2}active[^]*demo_c_checkout {2}incomplete/] },
  { page: 'README.md', prints: [/"allowed":true/, /"recorded":true/, /^left: \d+/] },
];

test.each(PAGES)(
  'the commands of $page do what the page says',
  async ({ page, from = 0, prints }) => {
    const results = await paste(blocksOf(page).slice(from, from + prints.length));
    for (const [index, pattern] of prints.entries()) expect(results[index]).toMatch(pattern);
    expect(results.join('')).not.toContain('undefined');
  },
  180_000,
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
