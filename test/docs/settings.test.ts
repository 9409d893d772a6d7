import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileVariableOf } from '../../src/config/secret-files';
import { settingGroups, settings } from '../../src/config/settings';
import { expectCommitted } from '../support/snapshot';

const ROOT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Entry points of the processes, by their names on the page. */
const ENTRY_POINTS: Record<string, string> = {
  api: 'api',
  worker: 'worker',
  relay: 'relay',
  deliver: 'deliver',
  maintain: 'maintain',
  migrate: 'migrate',
  'temporal:setup': 'temporal-setup',
  verify: 'verify',
  drift: 'drift',
  'usage:rebuild': 'usage-rebuild',
  'operator:create': 'operator-create',
  'operator:reset': 'operator-reset',
  listen: 'listen',
  '`npm start`': 'start',
};

function namesIn(text: string): string[] {
  return [...text.matchAll(/'((?:TOLLGATE|TEMPORAL)_[A-Z_]+|NODE_ENV)'/g)].map(([, name = '']) => name);
}

/**
 * Returns the settings that a process names, directly or through what it imports from src/config and its neighbors.
 */
function settingsOf(entry: string): string[] {
  const text = read(`src/main/${entry}.ts`);
  const imported = [...text.matchAll(/from '(\.\.\/config\/[\w-]+|\.\/[\w-]+)'/g)]
    .map(([, from = '']) => path.posix.join('src/main', `${from}.ts`))
    .filter((file) => file !== 'src/config/read-config.ts');
  const taken = imported.flatMap((file) =>
    read(file)
      .split(/^(?=(?:export )?(?:async )?function )/m)
      // A neighbor's export for another process is not read by this one.
      .filter((part) => {
        const exported = /^export (?:async )?function (\w+)/.exec(part)?.[1];
        return exported === undefined || text.includes(exported);
      }),
  );
  return [...new Set([text, ...taken].flatMap(namesIn))].sort();
}

const processes = Object.entries(ENTRY_POINTS).map(([name, entry]) => ({ name, reads: settingsOf(entry) }));
const readersOf = (setting: string): string[] =>
  processes.filter(({ reads }) => reads.includes(setting)).map(({ name }) => name);

type Schema = (typeof settings)[keyof typeof settings];

function defaultOf(schema: Schema): string {
  const unset: unknown = schema.meta()?.['unset'];
  if (typeof unset === 'string') return `default ${unset}`;
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'required';
  return data === undefined ? 'optional' : `default \`${String(data)}\``;
}

function pageText(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const lines = Object.entries(group).map(
      ([name, schema]: [string, Schema]) =>
        `- \`${name}\`${fileVariableOf(name) === undefined ? '' : ' †'} (${defaultOf(schema)}; ${readersOf(name).join(', ')}): ${schema.meta()?.description ?? ''}`,
    );
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `# Configuration

<!-- Generated from src/config/settings and src/main: UPDATE_SNAPSHOTS=1 npx jest test/docs/settings.test.ts -->

Tollgate is configured only by environment variables. Each process reads only its own, and refuses to start if one is missing or invalid, with an error that names it. The brackets contain the default and the processes that read the variable; \`npm start\` passes the processes that it runs what they need. An empty variable counts as not set. A variable that begins with \`TOLLGATE_\` and is not a setting has no effect; each process warns of it on standard error when it starts, and suggests similar names. A setting with † can be read from a file instead: append \`_FILE\` to its name and set it to the path, such as \`TOLLGATE_CURSOR_SECRET_FILE=/run/secrets/cursor-secret\`. Set only one of the two. Line ends after the value are removed; a file without a value is refused.

${groups.join('\n')}`;
}

test('docs/configuration.md is current', () => {
  expectCommitted('docs/configuration.md', pageText());
});

test('every setting has a reader and a meaning, and every name that a process reads is a setting', () => {
  for (const [name, schema] of Object.entries(settings)) {
    expect([name, readersOf(name).length > 0]).toEqual([name, true]);
    expect([name, (schema.meta()?.description ?? '') !== '']).toEqual([name, true]);
  }
  const read = new Set(processes.flatMap(({ reads }) => reads));
  expect([...read].filter((name) => !(name in settings))).toEqual([]);
});

// `temporal:setup` reads Temporal's own variables, each of which a profile can replace; `listen` needs none.
test.each(
  Object.keys(ENTRY_POINTS).filter((name) => !['`npm start`', 'listen', 'temporal:setup'].includes(name)),
)('Compose gives %s what it cannot start without', (named) => {
  const compose = read('docker-compose.yml');
  const needed = Object.entries(settings).filter(
    ([name, schema]) => readersOf(name).includes(named) && defaultOf(schema) === 'required',
  );
  expect(needed.length).toBeGreaterThan(0);
  expect(needed.filter(([name]) => !compose.includes(name)).map(([name]) => name)).toEqual([]);
});
