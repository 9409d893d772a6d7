import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

/** An adapter belongs to its provider, routes name one in examples only, and the schema of the API is generated. */
const OWN = /^src\/(?:providers\/provider-|http\/|db\/migrations\/)|^console\/src\/api\/schema\.d\.ts$/;

function filesThatNameAProvider(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.posix.join(folder, file))
    .filter((file) => !OWN.test(file))
    .filter((file) => /\bprovider_[abc]\b['":]/.test(readFileSync(path.join(ROOT, file), 'utf8')));
}

test('the page on adding a provider names every file that distinguishes providers by name', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'adding-a-provider.md'), 'utf8');
  const files = ['src', 'workflows', 'activities', 'console/src', 'portal/src'].flatMap(
    filesThatNameAProvider,
  );
  expect(files).toContain('src/domain/capability-support.ts');
  const isNamed = (file: string): boolean =>
    page.includes(`\`${file}\``) || page.includes(`\`${path.posix.dirname(file)}\``);
  expect(files.filter((file) => !isNamed(file))).toEqual([]);
});
