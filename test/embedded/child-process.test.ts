import { readFile } from 'node:fs/promises';
import { startChildProcess } from '../../src/embedded/child-process';
import { endFixtures, fixture, isAlive, startFixture as child } from './fixtures/children';
import { until } from '../support/until';

afterEach(endFixtures);

describe('a child process', () => {
  test('gets only the environment it is given, and hands over what it prints', async () => {
    process.env['SECRET_OF_THE_PARENT'] = 'x';
    const running = await child();
    delete process.env['SECRET_OF_THE_PARENT'];
    const { PATH, HOME, TMPDIR, ...rest } = JSON.parse(running.lines[0] ?? '') as Record<string, string>;
    expect([PATH, HOME, TMPDIR]).toEqual(['PATH', 'HOME', 'TMPDIR'].map((name) => process.env[name]));
    expect(rest).toEqual({ GREETING: 'hello' });
  });

  test('is asked to end, and ends in its own way', async () => {
    const running = await child();
    await running.stop();
    await expect(running.exited).resolves.toBe('ended with code 0');
    expect(running.lines).toContain('SIGTERM');
  });

  test('that does not listen is killed after its grace', async () => {
    const running = await child('deaf', { grace: 500 });
    await running.stop();
    await expect(running.exited).resolves.toBe('was ended by SIGKILL');
  });

  test('leads a session of its own, where a Ctrl-C at our terminal does not come', async () => {
    const running = await child();
    const stat = await readFile(`/proc/${running.pid}/stat`, 'utf8').catch(() => undefined);
    // Process group and session follow the name in parentheses; only Linux has /proc.
    const [, , group, session] = stat?.split(') ')[1]?.split(' ') ?? [
      '',
      '',
      String(running.pid),
      String(running.pid),
    ];
    expect([group, session]).toEqual([String(running.pid), String(running.pid)]);
  });

  test('ends when the process that started it is killed', async () => {
    const parent = await child('', { script: fixture('parent.js') });
    const grandchild = Number(parent.lines[0]);
    expect(isAlive(grandchild)).toBe(true);
    process.kill(parent.pid, 'SIGKILL');
    await until(() => !isAlive(grandchild));
  });

  test('a program that is not there is an error, not a crash', async () => {
    const missing = startChildProcess({
      command: '/no/such/program',
      args: [],
      env: {},
      log: () => undefined,
      grace: 1,
    });
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
