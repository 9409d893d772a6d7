import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sourcesOf } from '../../scripts/toolchain/pages.mjs';

const TYPE_IMPORT = /\b(?:import|export)\s+type\s[^;]*;/g;
const RELATIVE_IMPORT = /\bfrom\s+'(\.[^']*)'/g;

function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(TYPE_IMPORT, '');
  const imports = [...code.matchAll(RELATIVE_IMPORT)].map(([, to = '']) => path.join(path.dirname(file), to));
  return imports.flatMap((to) =>
    [to, `${to}.ts`, `${to}.tsx`].filter((found) => /\.tsx?$/.test(found) && existsSync(found)),
  );
}

test.each(['console', 'portal'] as const)(
  '%s is built again when a file changes that it imports',
  async (page) => {
    const sources = await sourcesOf(page);
    const imported = sources
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/'))
      .flatMap(importsOf);
    expect(imported).toContain('src/domain/currency.ts');
    expect(imported.filter((file) => !sources.includes(file))).toEqual([]);
  },
);
