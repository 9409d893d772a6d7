/**
 * `npm test`: the gate. Every check runs, every failure is shown again at the end, and the exit code is 1 if any
 * failed.
 *
 *   npm test -- --only lint,types        some checks: format, lint, types, boundaries, dead-code, build, jest
 *   npm test -- --only jest -- path      arguments behind -- go to Jest
 */
import './toolchain/node-version.mjs';
import { checks, runCheck } from './toolchain/checks.mjs';
import { ensureClientPython } from './toolchain/client-python.mjs';
import { ensureDebianProgram } from './toolchain/debian-programs.mjs';
import { jestArguments, readJestResult, runJest } from './toolchain/jest.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { log, seconds } from './toolchain/progress.mjs';
import { main, Unavailable } from './toolchain/project.mjs';
import { ensureTemporalCli } from './toolchain/temporal-cli.mjs';
import { ensureTestServer } from './toolchain/test-server.mjs';

/** Each of Temporal's test servers lives for one test file: compiling its code thoroughly costs more than it gains. */
const SHORT_LIVED_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

// Removes temporary files, which a signal alone would leave.
process.once('SIGHUP', () => process.exit(129));
process.once('SIGINT', () => process.exit(130));
process.once('SIGQUIT', () => process.exit(131));
process.once('SIGTERM', () => process.exit(143));

const failures = [];
/** What could not be had and is left out, in words. */
const leftOut = [];
let tests;

await main(async () => {
  const { only, passed } = readArguments(process.argv.slice(2));
  const wanted = (name) => only === undefined || only.includes(name);
  const packages = ensurePackages();
  const tools = wanted('jest') ? ensureTools(packages) : undefined;
  await packages;
  // The tests start compiled processes, so they need the build even when it was not asked for.
  const due = checks.filter(({ name }) => wanted(name) || (name === 'build' && wanted('jest')));
  let built;
  // Each keeps one core busy.
  const lane = async () => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const { name, title, run } = next;
      const done = step(title, () => runCheck(run));
      if (name === 'build') built = done;
      await done;
    }
  };
  const lanes = [lane(), lane()];
  // The tests take the core of the lane that ends first; the other one has a check left, of those the build is the last.
  await Promise.race(lanes);
  await built;
  if (tools !== undefined) {
    const environment = await tools;
    tests = await step('tests', () => runJest(jestArguments(passed), environment));
  }
  await Promise.all(lanes);
});

for (const words of leftOut) log(`\nLeft out: ${words}`);
for (const { title, output } of failures) log(`\n──── ${title} failed\n${output.trim()}`);
if (failures.length > 0) {
  log(`\nfailed: ${failures.map(({ title }) => title).join(', ')}`);
  process.exitCode = 1;
}
if (tests !== undefined) process.stdout.write(`${readJestResult(tests)}\n`);

async function step(title, work) {
  log(`\n== ${title}`);
  const start = performance.now();
  const { ok, output, result } = await work();
  log(`== ${title}: ${ok ? 'passed' : 'FAILED'} in ${seconds(performance.now() - start)}`);
  if (!ok) failures.push({ title, output });
  return result;
}

/**
 * Fetched while the static checks run. What cannot be had is a failure of its own; the other tests still run. Without
 * Debian's programs their tests are left out, which is reported at the end.
 */
async function ensureTools(packages) {
  const { TEMPORAL_ADDRESS: _, ...env } = process.env;
  const get = (name, work, without) =>
    work.then(
      (file) => [[name, file]],
      (error) => {
        if (!(error instanceof Unavailable)) throw error;
        without(error.message);
        return [];
      },
    );
  const fail = (title) => (output) => failures.push({ title, output });
  const leaveOut = (what) => (reason) => leftOut.push(`${what}: ${reason}`);
  const found = await Promise.all([
    get('TEMPORAL_CLI_PATH', ensureTemporalCli(packages, env), fail('Temporal')),
    get('TEMPORAL_TEST_SERVER_PATH', ensureTestServer(packages, env), fail("Temporal's test server")),
    get('CLIENT_PYTHON_PATH', ensureClientPython(env), fail('openapi-python-client')),
    get('PROMTOOL_PATH', ensureDebianProgram('promtool', env), leaveOut('the check of the alert rules')),
    get(
      'CHROMIUM_PATH',
      ensureDebianProgram('chromium-headless-shell', env),
      leaveOut('the tests of the console in a browser'),
    ),
    get('PGBOUNCER_PATH', ensureDebianProgram('pgbouncer', env), leaveOut('the tests behind PgBouncer')),
  ]);
  return { JDK_JAVA_OPTIONS: SHORT_LIVED_JAVA, ...env, ...Object.fromEntries(found.flat()) };
}

function readArguments(args) {
  const names = [...checks.map(({ name }) => name), 'jest'];
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const passed = end === -1 ? [] : args.slice(end + 1);
  if (own.length === 0) return { only: undefined, passed };
  const only = own[0] === '--only' && own.length === 2 ? own[1].split(',') : [];
  const unknown = only.find((name) => !names.includes(name));
  if (only.length === 0 || unknown !== undefined) {
    const why = unknown === undefined ? '' : `There is no check ${unknown}.\n`;
    throw new Unavailable(`${why}Usage: npm test [-- --only ${names.join('|')}[,…] [-- arguments of Jest]]`);
  }
  return { only, passed };
}
