import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** A process's entry point, by the name that docs/deployment.md gives it. */
const ENTRY_POINTS: Record<string, string> = {
  api: 'api',
  worker: 'worker',
  relay: 'relay',
  maintain: 'maintain',
  migrate: 'migrate',
  verify: 'verify',
  drift: 'drift',
  'operator:create': 'operator-create',
};

function namesIn(text: string): string[] {
  return [...text.matchAll(/'((?:TOLLGATE|TEMPORAL)_[A-Z_]+|NODE_ENV)'/g)].map(([, name = '']) => name);
}

/** The settings that a process names, itself or through what it takes of src/config and its neighbours. */
function settingsOf(entry: string): string[] {
  const text = read(`src/main/${entry}.ts`);
  const imported = [...text.matchAll(/from '(\.\.\/config\/[\w-]+|\.\/[\w-]+)'/g)]
    .map(([, from = '']) => path.posix.join('src/main', `${from}.ts`))
    .filter((file) => file !== 'src/config/config.ts');
  const taken = imported.flatMap((file) =>
    read(file)
      .split(/^(?=(?:export )?(?:async )?function )/m)
      // What a neighbour exports for another process is not read by this one.
      .filter((part) => {
        const exported = /^export (?:async )?function (\w+)/.exec(part)?.[1];
        return exported === undefined || text.includes(exported);
      }),
  );
  return [...new Set([text, ...taken].flatMap(namesIn))].sort();
}

const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z][A-Z_]+)`\s*\|([^|]*)\|([^|]*)\|/gm)].map(
  ([, name = '', preset = '', readers = '']) => ({
    name,
    required: preset.trim() === 'required',
    readers: readers.split(',').map((reader) => reader.trim()),
  }),
);

test.each(Object.entries(ENTRY_POINTS))(
  'docs/configuration.md says which settings %s reads',
  (named, entry) => {
    const listed = rows.filter(({ readers }) => readers.includes(named)).map(({ name }) => name);
    expect(settingsOf(entry).length).toBeGreaterThan(0);
    expect(listed.sort()).toEqual(settingsOf(entry));
  },
);

test.each(Object.entries(ENTRY_POINTS))('Compose gives %s what it cannot start without', (named) => {
  const compose = read('docker-compose.yml');
  const needed = rows.filter(({ required, readers }) => required && readers.includes(named));
  expect(needed.filter(({ name }) => !compose.includes(name)).map(({ name }) => name)).toEqual([]);
});
