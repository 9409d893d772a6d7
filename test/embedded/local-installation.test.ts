import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { readProviderUrls } from '../../src/config/provider-urls';
import { commandLine } from '../../src/embedded/command-line';
import {
  DirectoryInUseError,
  DirectoryUnusableError,
  lockDataDirectory,
  toFileSystemError,
} from '../../src/embedded/data-directory';
import { findFreePort } from '../../src/embedded/free-port';
import { serviceEnvironments, type LocalSettings } from '../../src/embedded/local-environment';
import { readableLine } from '../../src/embedded/log-lines';
import { assertPortsFree } from '../../src/embedded/ports';
import { localSecrets } from '../../src/embedded/secrets';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-local-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the secrets of an installation', () => {
  test('are made once, differ from each other and from another installation, and are for the owner only', async () => {
    const secrets = await localSecrets(directory);
    expect(await localSecrets(directory)).toEqual(secrets);
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
    const other = await mkdtemp(path.join(directory, 'other-'));
    expect((await localSecrets(other)).apiKeyPepper).not.toBe(secrets.apiKeyPepper);
    const { mode } = await stat(path.join(directory, 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('that a newer version needs are added; the others stay', async () => {
    const { relay, ...older } = await localSecrets(directory);
    await writeFile(path.join(directory, 'secrets.json'), JSON.stringify(older));
    const now = await localSecrets(directory);
    expect(now).toMatchObject(older);
    expect(now.relay).not.toBe(relay);
    expect(await localSecrets(directory)).toEqual(now);
  });

  test.each(['{"app": ', '[]', '{"app": ""}'])(
    'are never replaced when the file is damaged: %s',
    async (damage) => {
      const file = path.join(directory, 'secrets.json');
      await writeFile(file, damage);
      await expect(localSecrets(directory)).rejects.toThrow(`${file} is damaged`);
      expect(await readFile(file, 'utf8')).toBe(damage);
    },
  );
});

describe('the environment of each process', () => {
  const settings: LocalSettings = {
    dataDirectory: '/data',
    logLevel: 'info',
    databasePool: 10,
    usagePool: 8,
    eventRetentionDays: 90,
    ports: {
      console: 1,
      sandbox: 2,
      production: 3,
      metrics: 4,
      postgres: 5,
      simulators: { a: 8, b: 9, c: 10, control: 11 },
    },
    temporal: { environment: { TEMPORAL_ADDRESS: '127.0.0.1:6' }, uiUrl: 'http://127.0.0.1:7' },
  };

  test('holds the secrets it needs, and none of another process', async () => {
    const secrets = await localSecrets(directory);
    const environments = serviceEnvironments(settings, secrets);
    const held = Object.fromEntries(
      Object.entries(environments).map(([name, environment]) => {
        const text = JSON.stringify(environment);
        return [
          name,
          Object.entries(secrets)
            .filter(([, secret]) => text.includes(secret))
            .map(([key]) => key),
        ];
      }),
    );
    expect(held).toEqual({
      migrate: ['postgresSuperuser', 'migrator', 'app', 'worker', 'relay', 'deliverer'],
      maintain: ['migrator', 'worker'],
      demo: ['migrator', 'app', 'apiKeyPepper', 'operatorPassword', 'credentialKeys'],
      api: ['app', 'apiKeyPepper', 'cursorSecret', 'credentialKeys'],
      worker: ['worker', 'credentialKeys'],
      relay: ['relay'],
      deliver: ['deliverer', 'credentialKeys'],
    });
  });

  test('puts the simulators in the place of the providers', async () => {
    const { api } = serviceEnvironments(settings, await localSecrets(directory));
    expect(readProviderUrls(api)).toEqual({
      provider_a: 'http://127.0.0.1:8',
      provider_b: 'http://127.0.0.1:9',
      provider_c: 'http://127.0.0.1:10',
    });
    expect(() => readProviderUrls({ ...api, NODE_ENV: 'production' })).toThrow('TOLLGATE_PROVIDER_A_URL');
  });

  test('names Temporal only where there is one', async () => {
    const secrets = await localSecrets(directory);
    expect(serviceEnvironments(settings, secrets).api['TEMPORAL_ADDRESS']).toBe('127.0.0.1:6');
    const without = serviceEnvironments({ ...settings, temporal: undefined }, secrets);
    expect(JSON.stringify(without)).not.toContain('TEMPORAL_ADDRESS');
  });
});

describe('the ports', () => {
  test('a taken one is named with its variable', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const wanted = [
      { variable: 'TOLLGATE_CONSOLE_PORT', port: await findFreePort(), what: 'the console' },
      { variable: 'TOLLGATE_SANDBOX_PORT', port, what: 'the sandbox API' },
    ];
    await expect(assertPortsFree(wanted)).rejects.toThrow(
      `Port ${port} on 127.0.0.1, wanted for the sandbox API, is taken: stop what listens there, or set TOLLGATE_SANDBOX_PORT to another port.`,
    );
    blocker.close();
  });

  test('the same one twice, and 0, are errors that name the variables', async () => {
    const port = await findFreePort();
    const twice = ['A_PORT', 'B_PORT'].map((variable) => ({ variable, port, what: 'x' }));
    await expect(assertPortsFree(twice)).rejects.toThrow(`A_PORT and B_PORT both are ${port}`);
    await expect(assertPortsFree([{ variable: 'A_PORT', port: 0, what: 'x' }])).rejects.toThrow(
      'A_PORT is 0',
    );
  });

  test('one that browsers block is an error where browsers connect', async () => {
    const console = { variable: 'TOLLGATE_CONSOLE_PORT', port: 6000, what: 'the console', isHttp: true };
    await expect(assertPortsFree([console])).rejects.toThrow(
      'TOLLGATE_CONSOLE_PORT is 6000, which browsers block: choose another port.',
    );
  });
});

describe('the data directory', () => {
  const running = (): string => path.join(directory, 'running.json');
  const quiet = (): void => undefined;

  test('is refused while another supervisor holds it, and free when that has ended', async () => {
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    const supervisor = { name: 'start', pid: other.pid ?? 0, command: await commandLine(other.pid ?? 0) };
    await writeFile(running(), JSON.stringify({ supervisor, processes: [] }));
    await expect(lockDataDirectory(directory, quiet)).rejects.toThrow(DirectoryInUseError);
    other.kill();
    await once(other, 'close');
    const held = await lockDataDirectory(directory, quiet);
    await held.release();
    await expect(readFile(running())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is freed from what a supervisor that was killed left behind', async () => {
    const left = spawn('sleep', ['60']);
    const ended = once(left, 'close');
    const said: string[] = [];
    const before = await lockDataDirectory(directory, quiet);
    await before.record([{ name: 'api', pid: left.pid ?? 0 }]);
    // A supervisor whose process id now belongs to another program.
    const record = JSON.parse(await readFile(running(), 'utf8')) as {
      supervisor: { command: string; pid: number };
    };
    record.supervisor = { ...record.supervisor, command: 'node start', pid: process.ppid };
    await writeFile(running(), JSON.stringify(record));
    await lockDataDirectory(directory, (message) => said.push(message));
    expect((await ended)[1]).toBe('SIGTERM');
    expect(said).toEqual([`Ending api (process ${left.pid}), which an earlier run left behind`]);
  });

  test('does not end another program that has got the process id of an earlier run', async () => {
    const stranger = spawn('sleep', ['60']);
    await once(stranger, 'spawn');
    const supervisor = { name: 'start', pid: process.ppid, command: 'node start' };
    const processes = [{ name: 'api', pid: stranger.pid, command: 'node api.js' }];
    await writeFile(running(), JSON.stringify({ supervisor, processes }));
    await lockDataDirectory(directory, quiet);
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    stranger.kill();
  });

  test('of several that start at once where one was killed, one gets it', async () => {
    const stale = { name: 'start', pid: 2 ** 22 + 1, command: 'node start' };
    const holders = await Promise.all([1, 2, 3].map(startHolder));
    for (let round = 0; round < 30; round += 1) {
      const wanted = path.join(directory, String(round));
      await mkdir(wanted);
      await writeFile(
        path.join(wanted, 'running.json'),
        JSON.stringify({ supervisor: stale, processes: [] }),
      );
      const answers = await Promise.all(holders.map((holder) => holder.take(wanted)));
      expect(answers.sort()).toEqual(['DirectoryInUseError', 'DirectoryInUseError', 'held']);
    }
    await Promise.all(holders.map((holder) => holder.end()));
  });

  test('concurrent writes are made one after the other', async () => {
    const held = await lockDataDirectory(directory, quiet);
    const self = (name: string) => [{ name, pid: process.pid }];
    await Promise.all(['postgres', 'temporal', 'api'].map((name) => held.record(self(name))));
    expect(JSON.parse(await readFile(running(), 'utf8'))).toMatchObject({ processes: [{ name: 'api' }] });
  });

  test('that cannot be created is reported', async () => {
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    await expect(lockDataDirectory(file, quiet)).rejects.toThrow(
      `The data directory ${file} cannot be used: it is not a directory. Set TOLLGATE_DATA_DIR to another directory.`,
    );
    await expect(lockDataDirectory(path.join(file, 'in'), quiet)).rejects.toThrow(DirectoryUnusableError);
    // Simulates a data disk that was not mounted.
    const link = path.join(directory, 'link');
    await symlink(path.join(directory, 'not', 'mounted'), link);
    await expect(lockDataDirectory(link, quiet)).rejects.toThrow(
      `The data directory ${link} cannot be used: it is a link to a directory that does not exist, or its file system takes no files.`,
    );
  });

  (existsSync('/proc/self') ? test : test.skip)(
    'in a file system that takes no files is reported',
    async () => {
      await expect(lockDataDirectory('/proc/tollgate/data', quiet)).rejects.toThrow(
        'The data directory /proc/tollgate/data cannot be used: it is a link to a directory that does not exist, or its file system takes no files.',
      );
    },
  );

  (existsSync('/dev/full') ? test : test.skip)('on a disk that fills up later is said in words', async () => {
    const full: unknown = await writeFile('/dev/full', 'text').catch((error: unknown) => error);
    expect(toFileSystemError(directory, full)).toEqual(
      new DirectoryUnusableError(
        `The data directory ${directory} cannot be used: its file system is full. Set TOLLGATE_DATA_DIR to another directory.`,
      ),
    );
    const missing = await readFile(running()).catch((error: unknown) => error);
    expect(toFileSystemError(directory, missing)).toBe(missing);
  });

  test('a record that was cut short is no obstacle', async () => {
    await writeFile(running(), '{"supervisor": {');
    await expect(lockDataDirectory(directory, quiet)).resolves.toMatchObject({ path: directory });
  });
});

/** Starts a process that locks data directories on request. */
async function startHolder(): Promise<{ take(directory: string): Promise<string>; end(): Promise<unknown> }> {
  const script = path.join(__dirname, 'fixtures', 'holder.ts');
  const loader = path.join(__dirname, '..', 'support', 'typescript.cjs');
  const child = spawn(process.execPath, ['-r', loader, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const line = async (): Promise<string> => String((await once(lines, 'line'))[0]);
  await line();
  return {
    take: (directory) => {
      child.stdin.write(`${directory}\n`);
      return line();
    },
    end: () => {
      child.stdin.end();
      return once(child, 'close');
    },
  };
}

describe('a line of a log', () => {
  test('of the service becomes readable', () => {
    const line =
      '{"level":"info","time":"2026-03-01T12:34:56.789Z","process":"api","msg":"listening","port":4001}';
    expect(readableLine('api', line)).toBe('api      12:34:56 info  listening port=4001');
  });

  test('with an error shows where it comes from', () => {
    const line =
      '{"level":"error","time":"2026-03-01T12:34:56.789Z","err":{"stack":"Error: x\\n  at y"},"msg":"failed"}';
    expect(readableLine('api', line)).toBe(
      'api      12:34:56 error failed\napi        Error: x\napi          at y',
    );
  });

  test.each(['plain text', '{"half": ', '{"other": 1}'])('of another kind stays as it is: %s', (line) => {
    expect(readableLine('relay', line)).toBe(`relay    ${line}`);
  });
});
