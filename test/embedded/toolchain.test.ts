import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  planClientPython,
  planDebianProgram,
  planTemporalCli,
  planTestServer,
} from '../../scripts/toolchain/sources.mjs';

describe('where the Temporal program comes from', () => {
  const cached = { cached: '/cached', download: true, go: true };

  test.each([
    [
      'the variable, before all',
      { configured: '/given', onPath: '/path', ...cached },
      { use: '/given', named: 'TEMPORAL_CLI_PATH' },
    ],
    ['the PATH', { onPath: '/path', ...cached }, { use: '/path' }],
    ['the cache', cached, { use: '/cached' }],
  ])('%s', (_, there, plan) => {
    expect(planTemporalCli(there)).toEqual(plan);
  });

  test.each([
    [true, true, ['download', 'go']],
    [true, false, ['download']],
    [false, true, ['go']],
    [false, false, []],
  ])('download site answers: %s, Go installed: %s', (download, go, tries) => {
    const plan = planTemporalCli({ download, go });
    expect(plan.use).toBeUndefined();
    expect(plan.tries).toEqual(tries);
    expect(plan.otherwise).toMatch(/install .* or set TEMPORAL_CLI_PATH .* or TEMPORAL_ADDRESS/);
  });
});

describe('where the time-skipping test server comes from', () => {
  test.each([
    [{ configured: '/given', cached: '/cached', download: true, maven: true, java: true }, '/given'],
    [{ cached: '/cached', download: true, maven: true, java: true }, '/cached'],
  ])('%j', (there, use) => {
    expect(planTestServer(there).use).toBe(use);
  });

  test.each([
    [{ download: true, maven: true, java: true }, ['download', 'maven']],
    [{ download: false, maven: true, java: true }, ['maven']],
    [{ download: false, maven: true, java: false }, []],
    [{ download: false, maven: false, java: true }, []],
  ])('%j', (there, tries) => {
    const plan = planTestServer(there);
    expect(plan.tries).toEqual(tries);
    expect(plan.otherwise).toMatch(/install Java .* and Maven, or set TEMPORAL_TEST_SERVER_PATH/);
  });
});

describe('where a Python with openapi-python-client comes from', () => {
  test.each([
    ['the variable, before all', { configured: '/given', version: '3.11', cached: '/cached' }, '/given'],
    ['the cache', { version: '3.11', cached: '/cached', pip: true }, '/cached'],
  ])('%s', (_, there, use) => {
    expect(planClientPython(there).use).toBe(use);
  });

  test.each([
    [{ version: '3.11', pip: true, venv: true }, ['pip', 'venv']],
    [{ version: '3.12', pip: false, venv: true }, ['venv']],
    [{ version: '3.14', pip: false, venv: false }, []],
    [{ version: '3.9', pip: true, venv: true }, []],
    [{}, []],
  ])('%j', (there, tries) => {
    const plan = planClientPython(there);
    expect([plan.use, plan.tries]).toEqual([undefined, tries]);
    expect(plan.otherwise).toMatch(/install Python 3\.11 .* or set CLIENT_PYTHON_PATH/);
  });
});

describe('where promtool and PgBouncer come from', () => {
  const tool = { program: 'promtool', variable: 'PROMTOOL_PATH', package: 'prometheus' };

  test.each([
    ['the variable, before all', { configured: '/given', onPath: '/path', cached: '/cached' }, '/given'],
    ['the PATH', { onPath: '/path', cached: '/cached' }, '/path'],
    ['the cache', { cached: '/cached' }, '/cached'],
  ])('%s', (_, there, use) => {
    expect(planDebianProgram({ ...there, apt: true }, tool).use).toBe(use);
  });

  test.each([
    [true, ['debian']],
    [false, []],
  ])('apt-get installed: %s', (apt, tries) => {
    const plan = planDebianProgram({ apt }, tool);
    expect([plan.use, plan.tries]).toEqual([undefined, tries]);
    expect(plan.otherwise).toMatch(/install it .*apt-get install prometheus.*, or set PROMTOOL_PATH/);
  });
});

describe('getting the programs', () => {
  const scripts = path.join(__dirname, '..', '..', 'scripts', 'toolchain');
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'tollgate-toolchain-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Runs a toolchain module in plain Node, which finds only the programs in the test's directory. */
  const inNode = async (
    code: string,
    env: Record<string, string> = {},
  ): Promise<{ out: string; err: string }> => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: scripts,
      env: { PATH: path.join(root, 'bin'), TOLLGATE_CACHE_DIR: path.join(root, 'cache'), ...env },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await once(child, 'close');
    return { out, err };
  };
  const program = async (name: string, script: string): Promise<string> => {
    await mkdir(path.join(root, 'bin'), { recursive: true });
    const file = path.join(root, 'bin', name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  };
  const TEMPORAL = `
    import { ensureTemporalCli } from './temporal-cli.mjs';
    globalThis.fetch = () => Promise.reject(new Error('no network'));
    await ensureTemporalCli(Promise.resolve()).then((file) => console.log(file), (error) => console.log('! ' + error.message));`;

  test('a program on the PATH that does not run is passed over, and what is missing is said in one sentence', async () => {
    await program('temporal', 'exit 1');
    const { out } = await inNode(TEMPORAL);
    expect(out).toMatch(/^! Temporal could not be had: install .*\.\n$/);
  });

  test('a variable that names no program is named', async () => {
    const { out } = await inNode(TEMPORAL, { TEMPORAL_CLI_PATH: '/no/such/temporal' });
    expect(out).toBe(
      '! TEMPORAL_CLI_PATH names /no/such/temporal, which cannot be run: correct it or leave it out.\n',
    );
  });

  test('two runs at once build once, and both get the result; a third finds it', async () => {
    await program(
      'go',
      `echo built >> "${root}/builds"; printf '#!/bin/sh\\necho 1' > "$GOBIN/temporal"; /bin/chmod +x "$GOBIN/temporal"; /bin/sleep 1`,
    );
    const [first, second] = await Promise.all([inNode(TEMPORAL), inNode(TEMPORAL)]);
    const third = await inNode(TEMPORAL);
    expect(first.out).toMatch(/temporal-cli-.*\/temporal\n$/);
    expect([second.out, third.out]).toEqual([first.out, first.out]);
    expect(third.err).toBe('');
    expect(await readFile(path.join(root, 'builds'), 'utf8')).toBe('built\n');
    expect(await readdir(path.join(root, 'cache'))).toEqual([path.basename(path.dirname(first.out))]);
  });

  test('a build that fails leaves nothing behind, says why, and is tried again the next time', async () => {
    await program('go', 'echo "half" > "$GOBIN/temporal"; echo "no such module" >&2; exit 1');
    const failed = await inNode(TEMPORAL);
    expect(failed.err).toContain('no such module');
    expect(failed.out).toMatch(/^! Temporal could not be had/);
    expect(await readdir(path.join(root, 'cache'))).toEqual([]);
    await program('go', `printf '#!/bin/sh\\necho 1' > "$GOBIN/temporal"; /bin/chmod +x "$GOBIN/temporal"`);
    expect((await inNode(TEMPORAL)).out).toMatch(/\/temporal\n$/);
  });

  test('a cache that cannot be written to, and an account without a home, are said with what to set', async () => {
    const LOCK = `
      import os from 'node:os';
      import { syncBuiltinESMExports } from 'node:module';
      if (process.env.HOMELESS) os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };
      syncBuiltinESMExports();
      const { main } = await import('./project.mjs');
      await main(async () => (await import('./cache.mjs')).withLock('tool', () => console.log('worked')));`;
    const file = path.join(root, 'file');
    await writeFile(file, '');
    const taken = await inNode(LOCK, { TOLLGATE_CACHE_DIR: file });
    expect(taken).toEqual({
      out: '',
      err: expect.stringMatching(
        /^\nThe cache directory .*file cannot be used \(EEXIST.*\)\. Set TOLLGATE_CACHE_DIR to another directory\.\n$/,
      ) as string,
    });
    const homeless = await inNode(LOCK, { TOLLGATE_CACHE_DIR: '', HOMELESS: 'true' });
    expect(homeless.err).toMatch(/^\nThis account has no home directory: set HOME to a directory .*\n$/);
  });

  test('what pip installs is kept for this Python, and a missing Python is reported', async () => {
    const code = `
      import { ensureClientPython } from './client-python.mjs';
      await ensureClientPython().then((file) => console.log(file), (error) => console.log('! ' + error.message));`;
    const without = await inNode(code);
    expect(without.out).toMatch(/^! openapi-python-client could not be had: install Python .*\.\n$/);
    await program(
      'python3',
      `case "$2" in
         import*) echo "3.12 pip" ;;
         pip) echo installed >> "${root}/installed" ;;
         openapi_python_client) echo 1 ;;
       esac`,
    );
    const first = await inNode(code);
    expect(first.out).toMatch(/client-python-\w+-py3\.12-.*\/python\n$/);
    const again = await inNode(code);
    expect(again).toEqual({ out: first.out, err: '' });
    expect(await readFile(path.join(root, 'installed'), 'utf8')).toBe('installed\n');
  });

  test('a program of Debian is unpacked with the libraries that are missing, after root has got the lists', async () => {
    await program(
      'apt-get',
      `echo "$*" >> "${root}/apt"
       case "$1" in
         -qq) : > "${root}/lists" ;;
         --simulate) echo "Inst libold [1] (2 Debian)"; echo "Inst libnew (1 Debian)"; echo "Inst pgbouncer (1 Debian)" ;;
         download) [ -e "${root}/lists" ] || exit 100; shift; for name; do : > "$name.deb"; done ;;
       esac`,
    );
    await program(
      'dpkg-deb',
      `/bin/mkdir -p "$3/usr/sbin"; /usr/bin/basename "$2" >> "${root}/unpacked"
       printf '#!/bin/sh\\necho 1' > "$3/usr/sbin/pgbouncer"; /bin/chmod +x "$3/usr/sbin/pgbouncer"`,
    );
    await program('dirname', 'exec /usr/bin/dirname "$@"');
    const { out } = await inNode(`
      import { ensureDebianProgram } from './debian-programs.mjs';
      process.getuid = () => 0;
      await ensureDebianProgram('pgbouncer').then((file) => console.log(file), (error) => console.log('! ' + error.message));`);
    expect(out).toMatch(/pgbouncer-debian-.*\/pgbouncer\n$/);
    expect(await readFile(path.join(root, 'unpacked'), 'utf8')).toBe('libnew.deb\npgbouncer.deb\n');
    expect(await readFile(path.join(root, 'apt'), 'utf8')).toContain(
      '-qq update\n--simulate --no-install-recommends install pgbouncer\ndownload pgbouncer libnew\n',
    );
  });

  test.each([
    ['gone', async () => String((await ended()).pid)],
    [
      'gone, and its number is another program’s',
      () => Promise.resolve(`${process.pid} node scripts/start.mjs`),
    ],
    [
      'gone, and its number is that of this run',
      () => Promise.resolve('${process.pid} node scripts/start.mjs'),
    ],
    ['unknown, after a crash of the machine', () => Promise.resolve('')],
  ])('a lock whose holder is %s, and what it left half done, are cleared away', async (_, lock) => {
    const code = `
      import { mkdir, readdir, writeFile } from 'node:fs/promises';
      import { install } from './cache.mjs';
      const cache = process.env.TOLLGATE_CACHE_DIR;
      await mkdir(cache + '/tool.part-abc', { recursive: true });
      await writeFile(cache + '/tool.lock', \`${await lock()}\`);
      await install('tool', 'file', (directory) => writeFile(directory + '/file', 'x'));
      console.log((await readdir(cache)).join());`;
    expect((await inNode(code)).out).toBe('tool\n');
  });
});

/** A process that has ended. */
async function ended(): Promise<ChildProcess> {
  const gone = spawn('/bin/sh', ['-c', 'exit 0']);
  await once(gone, 'close');
  return gone;
}

test('a folder that may not be written to, or is full, is said without a stack', async () => {
  const code = `
    import { main } from './project.mjs';
    await main(() => { throw Object.assign(new Error("EACCES: permission denied, mkdir '/tollgate/dist'"), { code: 'EACCES' }); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: path.join(__dirname, '..', '..', 'scripts', 'toolchain'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output).toMatch(
    /^\nEACCES: permission denied, mkdir '\/tollgate\/dist'\n.*must be able to write there.*\n$/,
  );
});

describe('an argument', () => {
  test.each([
    ['start.mjs', ['--help'], 0, /takes no arguments[^]*docs\/configuration\.md/],
    ['start.mjs', ['--port=5'], 1, /Unknown argument --port=5\.[^]*environment variables/],
    ['check.mjs', ['src/domain'], 1, /Unknown argument src\/domain\.[^]*takes no arguments/],
    ['test.mjs', ['--only', 'lin'], 1, /There is no check lin\.[^]*format\|lint/],
  ])('of %s, %j, starts nothing, and what can be given is said', async (name, given, code, said) => {
    const script = path.join(__dirname, '..', '..', 'scripts', name);
    const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(output).toMatch(said);
  });
});
