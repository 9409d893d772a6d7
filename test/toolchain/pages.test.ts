import path from 'node:path';
import { sourcesOf } from '../../scripts/toolchain/pages.mjs';
import { importsOf } from '../support/projects.cjs';

const ROOT = path.join(__dirname, '..', '..');

test.each(['console', 'portal'] as const)(
  '%s is built again when a file changes that it imports',
  async (page) => {
    const sources = await sourcesOf(page);
    const imported = sources
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/'))
      .flatMap((file) => importsOf(path.join(ROOT, file)))
      .filter(({ name, target }) => target !== undefined && /\.tsx?$/.test(name))
      .map(({ name }) => name);
    expect(imported).toContain('src/domain/money-in-locale.ts');
    expect(imported.filter((file) => !sources.includes(file))).toEqual([]);
  },
);
