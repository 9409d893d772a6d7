import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const ROOTS = ['src', 'workflows', 'activities', 'simulators'];

/** Every folder of the code, with its parents. */
const folders = ROOTS.flatMap(function below(folder: string): string[] {
  const inside = readdirSync(path.join(ROOT, folder), { withFileTypes: true });
  return [
    folder,
    ...inside.filter((entry) => entry.isDirectory()).flatMap(({ name }) => below(`${folder}/${name}`)),
  ];
});
const hasPage = (folder: string): boolean => existsSync(path.join(ROOT, folder, 'README.md'));
const isLarge = (folder: string): boolean =>
  readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith('.ts')).length > 10;

test('a folder of more than ten files has a page, or is below one that has', () => {
  const isCovered = (folder: string): boolean =>
    hasPage(folder) || (folder.includes('/') && isCovered(path.dirname(folder)));
  expect(folders.filter((folder) => isLarge(folder) && !isCovered(folder))).toEqual([]);
});
