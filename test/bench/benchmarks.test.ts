import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Children } from '../../bench/children';

const ROOT = path.join(__dirname, '..', '..');

/** Runs a benchmark's sources to completion, with its own Postgres and whatever else it starts. */
async function run(benchmark: string, env: Record<string, string>): Promise<string> {
  const hook = path.join(ROOT, 'test', 'support', 'typescript.cjs');
  const child = spawn(process.execPath, ['-r', hook, path.join(ROOT, 'bench', benchmark)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`It ended with ${String(code)}:\n${output}`);
  return output;
}

test('check and track are measured', async () => {
  const output = await run('usage.ts', {
    BENCH_SECONDS: '0.2',
    BENCH_SLICES: '2',
    BENCH_WARM_UP_SECONDS: '0.1',
    BENCH_CONNECTIONS: '2',
    BENCH_ONLY: 'check',
  });
  expect(output).toMatch(/cores .*\nBENCH_SECONDS=0.2 /);
  expect(output).toMatch(/ 2 {2}check .* 0\n/);
});

test('commands and renewals are measured', async () => {
  const output = await run('workflows.ts', {
    BENCH_RENEWALS: '5',
    BENCH_COMMANDS: '4',
    BENCH_COMMANDS_ALONE: '2',
    BENCH_CHECK_SECONDS: '1',
  });
  expect(output).toContain('BENCH_RENEWALS=5 BENCH_COMMANDS=4');
  expect(output).toMatch(/transactions (\d+) of \1\n/);
  expect(output).toContain('renewed once 5, more than once 0');
  expect(output).toContain('failures 0)');
});

test('webhooks are measured, beside checks', async () => {
  const output = await run('webhooks.ts', {
    BENCH_RATE: '40',
    BENCH_SECONDS: '1',
    BENCH_ENDPOINTS: '20',
    BENCH_DEAD: '4',
    BENCH_CHECKS: '20',
    BENCH_DELIVERED: '200',
  });
  expect(output).toContain('BENCH_RATE=40 BENCH_SECONDS=1 BENCH_ENDPOINTS=20 BENCH_DEAD=4');
  expect(output).toMatch(/living endpoints: 32 messages, p50 \d+ ms, p99 \d+ ms/);
  expect(output).toContain('failures 0)');
});

test('the lists of the console are measured', async () => {
  const output = await run('lists.ts', {
    BENCH_SUBSCRIPTIONS: '120',
    BENCH_EVENTS: '300',
    BENCH_LIST_TURNS: '1',
    BENCH_LIST_PAGES: '2',
  });
  expect(output).toContain('BENCH_SUBSCRIPTIONS=120 BENCH_EVENTS=300');
  expect(output).toMatch(/\nsubscriptions, awaiting approval +1 /);
  expect(output).toMatch(/\nevents, of a customer +\d+ /);
});

test.each([
  ['BENCH_SECONDS', 'abc', 'BENCH_SECONDS must be a number of at least 0: abc'],
  ['BENCH_CONNECTIONS', '2,', 'BENCH_CONNECTIONS must be a number of at least 1: '],
  ['BENCH_ONLY', 'check;chek', 'BENCH_ONLY names chek. There are: check; track, 1,000 customers; '],
])('a wrong %s is one line that names it', async (variable, value, line) => {
  const ended = run('usage.ts', { [variable]: value });
  await expect(ended).rejects.toThrow(`It ended with 1:\n${line}`);
});

test('a process that ends, ends the benchmark with an error', async () => {
  const children = new Children();
  const never = new Promise(() => undefined);
  children.watch('worker', spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: 'ignore' }));
  await expect(children.during(never)).rejects.toThrow('The worker of the benchmark ended with 3.');
  const others = new Children();
  others.watch('load', spawn(path.join(ROOT, 'nothing-here'), { stdio: 'ignore' }));
  await expect(others.during(never)).rejects.toThrow('The load of the benchmark did not start');
});
