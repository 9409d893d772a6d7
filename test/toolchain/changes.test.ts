import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changesIn, planCheck } from '../../scripts/toolchain/changes.mjs';

describe('what a working tree has changed', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-changes-'));
  const write = (name: string, text: string) => {
    writeFileSync(path.join(directory, name), text);
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...args], {
      cwd: directory,
      encoding: 'utf8',
    });
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };

  beforeAll(() => {
    git('init', '--quiet');
    write('.gitignore', 'ignored.ts\n');
    for (const name of ['kept', 'edited', 'committed', 'removed', 'renamed'])
      write(`${name}.ts`, `// ${name}\n`);
    commit('first');
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  test('without a main branch to compare with, what is not committed', async () => {
    await expect(changesIn(directory)).resolves.toEqual({ present: [], removed: [] });
    write('edited.ts', '// other\n');
    await expect(changesIn(directory)).resolves.toEqual({ present: ['edited.ts'], removed: [] });
  });

  test('with one: committed, uncommitted, untracked and renamed files, and none that are ignored', async () => {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    write('committed.ts', '// other\n');
    git('mv', 'renamed.ts', 'new name.ts');
    git('commit', '--quiet', '--all', '--message', 'second');
    write('edited.ts', '// another\n');
    write('untracked.ts', '');
    write('ignored.ts', '');
    rmSync(path.join(directory, 'removed.ts'));
    await expect(changesIn(directory)).resolves.toEqual({
      present: ['committed.ts', 'edited.ts', 'new name.ts', 'untracked.ts'],
      removed: ['removed.ts', 'renamed.ts'],
    });
  });
});

test('a folder that is no clone is said, with what works there', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-changes-'));
  try {
    await expect(changesIn(directory)).rejects.toThrow(/in a clone\. Everything is checked by npm test\.$/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

describe('what is checked for a change', () => {
  test('of code: its format, lint, types, boundaries and tests', () => {
    expect(planCheck({ present: ['src/domain/access.ts'], removed: [] })).toEqual({
      format: ['src/domain/access.ts'],
      lint: ['src/domain/access.ts'],
      types: true,
      boundaries: true,
      related: ['src/domain/access.ts'],
    });
  });

  test('of a component: as of any code', () => {
    const component = 'console/src/components/Money.tsx';
    expect(planCheck({ present: [component], removed: [] })).toMatchObject({
      lint: [component],
      types: true,
    });
  });

  test('of pages alone: their format, and the test that reads them', () => {
    expect(planCheck({ present: ['docs/map.md'], removed: [] })).toMatchObject({
      lint: [],
      types: false,
      related: ['test/docs/map.test.ts'],
    });
  });

  test('of a file that is gone: types, boundaries, and the pages that may name it', () => {
    expect(planCheck({ present: [], removed: ['src/domain/access.ts'] })).toMatchObject({
      format: [],
      types: true,
      boundaries: true,
      related: ['test/docs/map.test.ts'],
    });
  });

  test('of nothing: nothing', () => {
    expect(planCheck({ present: [], removed: [] })).toEqual({
      format: [],
      lint: [],
      types: false,
      boundaries: false,
      related: [],
    });
  });
});
