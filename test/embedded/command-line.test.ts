import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandLine } from '../../src/embedded/command-line';

test('a program has its command line at once, however early it is asked for', async () => {
  const read = async (): Promise<string> => {
    const program = spawn('sleep', ['60']);
    const command = await commandLine(program.pid ?? 0);
    program.kill('SIGKILL');
    return command;
  };
  for (let round = 0; round < 20; round += 1) {
    const commands = await Promise.all(Array.from({ length: 10 }, read));
    expect(new Set(commands)).toEqual(new Set(['sleep 60']));
  }
});

test('a process that has ended has none, also before its parent knows', async () => {
  // The shell starts a program that ends, and never collects its exit status.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  for (let command = ' '; command !== ''; command = await commandLine(Number(pid.toString())));
  parent.kill('SIGKILL');
  await once(parent, 'close');
  expect(await commandLine(Number(pid.toString()))).toBe('');
  expect(await commandLine(2 ** 22 + 1)).toBe('');
});
