import { readFileSync } from 'node:fs';
import path from 'node:path';

const CHANGELOG = path.join(__dirname, '..', '..', 'CHANGELOG.md');
/** A line and an earlier wording of it, which a merge may leave beside it, begin alike. */
const BEGINNING = 80;

test('no change has two lines', () => {
  const lines = readFileSync(CHANGELOG, 'utf8').split('\n');
  const beginnings = lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(0, BEGINNING));
  expect(beginnings.length).toBeGreaterThan(0);
  expect(beginnings.filter((one, index) => beginnings.indexOf(one) !== index)).toEqual([]);
});
