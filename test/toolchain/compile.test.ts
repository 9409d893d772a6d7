import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.join(__dirname, '..', '..');
const COMPILE = pathToFileURL(path.join(ROOT, 'scripts', 'toolchain', 'compile.mjs')).href;
/** More than Node needs for itself and for a few files at once, and fewer than there are files in the folder. */
const OPEN_FILES = 100;

/** The build of an image may have 1,024 open files, for more sources than that. */
test('the build has only a few of its files open at once', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-compile-'));
  try {
    const output = path.join(directory, 'compiled');
    const code = `const { compile } = await import(${JSON.stringify(COMPILE)});
      await compile({ output: ${JSON.stringify(output)}, folders: ['src/domain'] });`;
    execFileSync(
      '/bin/sh',
      ['-c', `ulimit -n ${OPEN_FILES}; exec "$0" --input-type=module --eval "$1"`, process.execPath, code],
      { env: { ...process.env, TOLLGATE_CACHE_DIR: path.join(directory, 'cache') }, stdio: 'pipe' },
    );
    const sources = path.join(ROOT, 'src', 'domain');
    const count = (folder: string, end: string): number =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end)).length;
    expect(count(sources, '.ts')).toBeGreaterThan(OPEN_FILES);
    expect(count(path.join(output, 'src', 'domain'), '.js')).toBe(count(sources, '.ts'));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
