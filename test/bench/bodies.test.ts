import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

test('the benchmark of bodies, for a moment: it runs to its end and judges nothing', async () => {
  const project = path.join(__dirname, '..', '..');
  const child = spawn(process.execPath, ['scripts/bench-bodies.mjs'], {
    cwd: project,
    env: { ...process.env, BENCH_BODIES_ROUTES: '2', BENCH_BODIES_TRIES: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, output]).toEqual([0, expect.stringContaining('2 routes, 30 bodies')]);
});
