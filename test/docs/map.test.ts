import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const inRoot = ['README', 'AGENTS', 'CONTRIBUTING', 'SECURITY', 'CHANGELOG'].map((name) => `${name}.md`);
const under = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
/** The pages of the code's folders, which name their files without the folder. */
const folderPages = ['src', 'workflows', 'activities', 'simulators'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'README.md')
    .map((file) => `${folder}/${file}`),
);
const pages = [
  ...inRoot,
  ...under('docs'),
  ...under('docs/tours'),
  ...under('docs/decisions'),
  ...folderPages,
];

/** The specification names no paths of this project. */
const WITHOUT_PATHS = new Set(['docs/specification.md']);

/** Text between backticks that begins with a folder of the project: `src/domain/access.ts`, `test/replay`. */
const PROJECT_PATH =
  /`((?:src|test|docs|workflows|activities|simulators|scripts|bench|endurance|console|portal)(?:\/[\w.-]+)*)`/g;
/** A participant's name in a Mermaid diagram: `participant Run as src/subscriptions/commands/run-operation.ts`. */
const PARTICIPANT = /^ *participant \w+ as (\w+\/[\w./-]+)$/gm;
/** A file in the page's folder. */
const NEIGHBOUR = /`((?:[\w-]+\/)*[\w.-]+\.ts)`/g;
const LINK = /\]\(([^)\s]+)\)/g;

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => (found === undefined ? [] : [found]));
}

/** Returns the id that a heading gets when Markdown is rendered. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

test.each(pages.filter((page) => !WITHOUT_PATHS.has(page)))('every path that %s names is there', (page) => {
  const text = read(page);
  const missing = [...matches(text, PROJECT_PATH), ...matches(text, PARTICIPANT)].filter(
    (named) => !existsSync(path.join(ROOT, named)),
  );
  expect(missing).toEqual([]);
});

test.each(folderPages)('every file that %s names is there', (page) => {
  const missing = matches(read(page), NEIGHBOUR).filter((named) =>
    ['.', path.dirname(page)].every((folder) => !existsSync(path.join(ROOT, folder, named))),
  );
  expect(missing).toEqual([]);
});

test.each(pages)('every link in %s leads somewhere', (page) => {
  const broken = matches(read(page), LINK)
    .filter((link) => !/^(?:https?|mailto):/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(ROOT, target))) return true;
      if (anchor === undefined) return false;
      return !matches(read(target), /^#+ (.+)$/gm).some((heading) => anchorOf(heading) === anchor);
    });
  expect(broken).toEqual([]);
});

test('the map names every file of test/spec', () => {
  const map = read('docs/map.md');
  const files = readdirSync(path.join(ROOT, 'test', 'spec')).map((file) => `test/spec/${file}`);
  expect(files.filter((file) => !map.includes(`\`${file}\``))).toEqual([]);
});

test.each(['docs/map.md', 'docs/design.md'])('%s names every folder of src', (page) => {
  const named = new Set(matches(read(page), PROJECT_PATH));
  const folders = readdirSync(path.join(ROOT, 'src')).map((folder) => `src/${folder}`);
  expect(folders.filter((folder) => !named.has(folder))).toEqual([]);
});

test('the map links every decision', () => {
  const links = new Set(matches(read('docs/map.md'), LINK));
  const decisions = under('docs/decisions').map((page) => page.slice('docs/'.length));
  expect(decisions.filter((page) => !links.has(page))).toEqual([]);
});

test('docs/deployment.md and docs/demo.md explain every process that package.json runs', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const processes = Object.keys(scripts).filter(
    (name) => scripts[name]?.includes('scripts/run.mjs') === true,
  );
  const explained = read('docs/deployment.md') + read('docs/demo.md');
  expect(processes.length).toBeGreaterThan(5);
  expect(processes.filter((name) => !explained.includes(`npm run ${name}`))).toEqual([]);
});
