/**
 * `npm run check`: what a change broke, in under a minute. It checks what differs from origin/main, committed or not:
 * format and lint of the changed files, the types and the boundaries, and the pure tests that reach a changed file.
 * The exit code is 1 if any failed. It is not the gate, which is `npm test`.
 */
import './toolchain/node-version.mjs';
import { changesIn, planCheck } from './toolchain/changes.mjs';
import { checks, lint as lintFiles, runCheck, tool } from './toolchain/checks.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { log, seconds } from './toolchain/progress.mjs';
import { inProject, main, Unavailable } from './toolchain/project.mjs';

const USAGE = `npm run check takes no arguments: it checks every file that differs from origin/main.
For one test file: npx jest test/domain/access.test.ts. The gate is npm test.`;

const failures = [];
const start = performance.now();

await main(async () => {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) throw new Unavailable(`Unknown argument ${argument}.\n${USAGE}`);
  await ensurePackages();
  const changes = await changesIn(inProject());
  log(`${changes.present.length} files changed, ${changes.removed.length} removed`);
  const due = stepsFor(planCheck(changes));
  // Each keeps one core busy.
  const lane = async () => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) await step(next);
  };
  await Promise.all([lane(), lane()]);
});

for (const { title, output } of failures) log(`\n──── ${title} failed\n${output.trim()}`);
log('\nLeft out: tests of the projects service and temporal, dead code, the build. The gate is npm test.');
const verdict = failures.length === 0 ? 'passed' : `failed: ${failures.map(({ title }) => title).join(', ')}`;
log(`check ${verdict} in ${seconds(performance.now() - start)}`);
if (failures.length > 0) process.exitCode = 1;

/** The longest first. */
function stepsFor({ format, lint, types, boundaries, related }) {
  const whole = (name) => checks.find((check) => check.name === name);
  const steps = [
    types && whole('types'),
    lint.length > 0 && {
      title: `lint of ${lint.length} files`,
      run: () => lintFiles(...lint),
    },
    related.length > 0 && {
      title: 'pure tests',
      run: () =>
        tool(
          ...['jest', '--ci', '--selectProjects', 'pure', '--passWithNoTests'],
          ...['--findRelatedTests', ...related],
        ),
    },
    boundaries && whole('boundaries'),
    format.length > 0 && {
      title: `format of ${format.length} files`,
      run: () => tool('oxfmt', '--list-different', '--no-error-on-unmatched-pattern', ...format),
    },
  ];
  return steps.filter((found) => found !== false);
}

async function step({ title, run }) {
  const begun = performance.now();
  const { ok, output } = await runCheck(run);
  log(`== ${title}: ${ok ? 'passed' : 'FAILED'} in ${seconds(performance.now() - begun)}${counted(output)}`);
  if (!ok) failures.push({ title, output });
}

/** Jest's own count of its tests. */
function counted(output) {
  const [, counts] = /^Tests:\s+(.*)$/m.exec(output ?? '') ?? [];
  return counts === undefined ? '' : ` (${counts})`;
}
