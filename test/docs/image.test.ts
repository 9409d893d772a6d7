import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What Docker is given, read from its files: nothing here runs Docker. */
const ROOT = path.join(__dirname, '..', '..');
const linesOf = (file: string): string[] => readFileSync(path.join(ROOT, file), 'utf8').split('\n');

const patterns = linesOf('.dockerignore').filter((line) => line !== '' && !line.startsWith('#'));

/** Whether a pattern of this file's few forms is of the path or of a folder above it. */
function fits(pattern: string, file: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('**/')) return file.split('/').includes(pattern.slice(3));
  return file === pattern || file.startsWith(`${pattern}/`);
}

/** The last pattern that fits decides. */
function isInContext(file: string): boolean {
  const last = patterns.findLast((pattern) => fits(pattern.replace(/^!/, ''), file));
  return last === undefined || last.startsWith('!');
}

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

test('whatever the image copies by name is among what Docker is given', () => {
  const copied = linesOf('Dockerfile')
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1))
    .filter((source) => source !== '.');
  expect(copied.length).toBeGreaterThan(3);
  expect(copied.filter((source) => !isInContext(source))).toEqual([]);
});

test('whatever the image is built from is among what Docker is given, and nothing that belongs to this machine', () => {
  const built =
    /^(?:src|activities|workflows|scripts|console|portal)\/|^(?:package|package-lock|tsconfig)\.json$/;
  expect(tracked.filter((file) => built.test(file) !== isInContext(file))).toEqual([]);
  for (const file of ['.env', '.data/secrets.json', 'node_modules/pg/package.json', 'dist/src/main/api.js']) {
    expect([file, isInContext(file)]).toEqual([file, false]);
  }
  expect(isInContext('console/node_modules/vite/package.json')).toBe(false);
});

test('Compose gives each of the service’s processes longer than it takes to end', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  const shared = /^x-service: &service\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '';
  const seconds = [...compose.matchAll(/^ *stop_grace_period: (\d+)s$/gm)].map(([, text]) => Number(text));
  // A worker ends its tasks after twelve seconds (activities/workers.ts), and Docker kills after ten by itself.
  expect(shared).toMatch(/^ {2}stop_grace_period: \d+s$/m);
  expect(Math.min(...seconds)).toBeGreaterThan(20);
});

test('Compose gives the service’s roles their right to connect before it takes that of everybody', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  const [granted, revoked] = [/GRANT CONNECT ON DATABASE/, /REVOKE CONNECT ON DATABASE/].map((right) =>
    compose.search(right),
  );
  expect(granted).toBeGreaterThan(0);
  expect(revoked).toBeGreaterThan(granted ?? Infinity);
});
