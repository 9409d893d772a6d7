import { fork, type ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { cpus } from 'node:os';
import path from 'node:path';
import type { MeasuredRoute } from './bodies-server';
import { HOSTILE_BODIES } from './hostile-bodies';
import { numberFrom } from './settings';

/**
 * `npm run bench:bodies`: sends the worst bodies within its limit to every route and measures how long each blocked the
 * event loop. The result is the shortest of several tries, because other load on the machine only makes a try longer.
 * Exits with 1 if one blocked it longer than the bound. `BENCH_BODIES_ROUTES` limits the routes, and then nothing is
 * judged.
 */
const BOUND_MS = 20;
const TRIES = numberFrom('BENCH_BODIES_TRIES', 5, { least: 1 });
const ROUTES = numberFrom('BENCH_BODIES_ROUTES', Number.POSITIVE_INFINITY);

function reply<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => {
      reject(new Error(`The process under measurement ended with ${String(code)}.`));
    };
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as Message);
    });
  });
}

async function held(child: ChildProcess): Promise<number> {
  const answer = reply<{ heldMs: number }>(child);
  child.send('read');
  return (await answer).heldMs;
}

function send(route: MeasuredRoute, body: string): Promise<number> {
  const { port, method, path: at } = route;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': 'bench',
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: at, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => {
        resolve(response.statusCode ?? 0);
      });
    });
    sent.once('error', reject).end(body);
  });
}

async function main(): Promise<void> {
  const child = fork(path.join(__dirname, 'bodies-server.js'));
  const { measured } = await reply<{ measured: MeasuredRoute[] }>(child);
  const routes = measured.slice(0, ROUTES);
  console.log(`${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`);
  console.log(
    `${routes.length} routes, ${Object.keys(HOSTILE_BODIES).length} bodies, the least of ${TRIES} tries`,
  );
  const results: { ms: number; status: number; what: string }[] = [];
  for (const route of routes) {
    for (const [name, make] of Object.entries(HOSTILE_BODIES)) {
      const body = make(route.bytes);
      if (Buffer.byteLength(body) > route.bytes)
        throw new Error(`${name} is larger than ${route.name} takes.`);
      let ms = Number.POSITIVE_INFINITY;
      let status = 0;
      for (let turn = 0; turn < TRIES; turn += 1) {
        await held(child);
        status = await send(route, body);
        ms = Math.min(ms, await held(child));
      }
      results.push({ ms, status, what: `${route.name}: ${name} (${Buffer.byteLength(body)} bytes)` });
    }
  }
  child.disconnect();
  results.sort((one, other) => other.ms - one.ms);
  for (const { ms, status, what } of results.slice(0, 15))
    console.log(`${ms.toFixed(1)} ms  ${status}  ${what}`);
  const failed = results.filter(({ status }) => status >= 500);
  if (failed.length > 0)
    throw new Error(`${failed.length} were answered with a failure: ${failed[0]?.what ?? ''}`);
  const [worst] = results;
  if (ROUTES === Number.POSITIVE_INFINITY && worst !== undefined && worst.ms > BOUND_MS) {
    throw new Error(`The event loop was held for longer than ${BOUND_MS} ms.`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
