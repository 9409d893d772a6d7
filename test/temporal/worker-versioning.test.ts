import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { startInstallation, type Installation } from '../../endurance/installation';
import { moveClock } from '../../endurance/move-clock';
import { renewedOnce } from '../../endurance/renewals';
import { change, openSubscriptions } from '../../endurance/seat-commands';
import { DAY_MS } from '../../src/domain/instant';
import { createTemporalClient } from '../../src/temporal/client';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';

/** Two builds under Worker Versioning, with the commands of docs/upgrade.md. */
const SUBSCRIPTIONS = 4;
const NAME = 'tollgate';
/** Temporal checks every three minutes whether a build is drained; here, as often as it can. */
const AT_ONCE = ['RefreshInterval', 'VisibilityGracePeriod'].flatMap((name) => [
  '--dynamic-config-value',
  `matching.wv.VersionDrainageStatus${name}="1s"`,
]);

let installation: Installation;
let client: Client;
let operator: OperatorClient;
let ids: string[];
let seats = 1;
beforeAll(async () => {
  installation = await startInstallation({
    processes: ['relay', 'api'],
    temporal: true,
    temporalArguments: AT_ONCE,
  });
  client = createTemporalClient({ address: installation.temporalAddress, namespace: 'default' });
  const { database, urls } = installation;
  operator = await logIn({ database, urls }, { role: 'admin' });
});
afterAll(async () => {
  await client.connection.close();
  await installation.stop();
});

const startBuild = (buildId: string) =>
  installation.startProcess('worker', {
    TEMPORAL_WORKER_DEPLOYMENT_NAME: NAME,
    TEMPORAL_WORKER_BUILD_ID: buildId,
  });

const UPGRADE = readFileSync(path.join(__dirname, '..', '..', 'docs', 'upgrade.md'), 'utf8');
/** A patch marker that each of the subscriptions has, in place of the page's, which only provider calls set. */
const MARKER = '2026-11-local-transactions';
/** The commands that were run, in the page's form. */
const ran = new Set<string>();

/** Runs `temporal`. @returns its output. @throws Error with its output when it fails */
async function temporal(...args: string[]): Promise<string> {
  const { TEMPORAL_CLI_PATH = '' } = process.env;
  const quoted = args.map((one) => (one.includes(' ') ? `"${one}"` : one));
  const command = quoted
    .join(' ')
    .replace(/sub_\w+/, 'sub_…')
    .replace(MARKER, '2026-11-signals-during-calls');
  ran.add(`$ temporal ${command}\n`);
  const connection = ['--address', installation.temporalAddress, '--disable-config-file'];
  const { stdout } = await promisify(execFile)(TEMPORAL_CLI_PATH, [...args, ...connection]);
  return stdout;
}

/** Makes a build current; Temporal refuses until it has seen the build's workers on all queues. */
const makeCurrent = (buildId: string): Promise<void> =>
  until(() =>
    temporal(
      ...['worker', 'deployment', 'set-current-version'],
      ...['--deployment-name', NAME, '--build-id', buildId, '--yes'],
    ).then(
      () => true,
      () => false,
    ),
  );
const drainageOf = async (buildId: string): Promise<string> => {
  const build = ['--deployment-name', NAME, '--build-id', buildId];
  const text = await temporal('worker', 'deployment', 'describe-version', ...build, '--output', 'json');
  const { drainageInfo } = JSON.parse(text) as { drainageInfo?: { drainageStatus?: string } };
  return drainageInfo?.drainageStatus ?? '';
};

const workflowOf = (id: string): string => subscriptionWorkflowId('sandbox', id);
/** Returns the build that ran the last workflow task of each subscription. */
const buildsOf = (): Promise<(string | undefined)[]> =>
  Promise.all(
    ids.map(async (id) => {
      const { events } = await client.workflow.getHandle(workflowOf(id)).fetchHistory();
      const task = events?.findLast((event) => event.workflowTaskCompletedEventAttributes);
      return task?.workflowTaskCompletedEventAttributes?.deploymentVersion?.buildId ?? undefined;
    }),
  );
/** Sends a command to each subscription; the first may be answered 202 while a worker starts. */
async function commandAll(): Promise<void> {
  seats += 1;
  for (const id of ids) expect([200, 202]).toContain((await change(operator, id, seats)).status);
  await until(async () => {
    const rows = await installation.database.query(
      "SELECT FROM tollgate.operations WHERE status <> 'succeeded'",
    );
    return rows.length === 0;
  });
}
const each = (buildId: string): string[] => Array.from({ length: SUBSCRIPTIONS }, () => buildId);

test('subscriptions continue with the current build, except for one that is pinned', async () => {
  const { child: one } = await startBuild('one');
  await makeCurrent('one');
  ids = await openSubscriptions(operator, SUBSCRIPTIONS);
  await commandAll();
  expect(await buildsOf()).toEqual(each('one'));

  const { child: two } = await startBuild('two');
  const [pinned = ''] = ids;
  const override = ['workflow', 'update-options', '--workflow-id', workflowOf(pinned)];
  await temporal(
    ...[...override, '--versioning-override-behavior', 'pinned'],
    ...['--versioning-override-deployment-name', NAME, '--versioning-override-build-id', 'one'],
  );
  await makeCurrent('two');
  expect(await drainageOf('one')).toBe('draining');
  // Each partition of a task queue learns of the new current build separately, and a subscription sleeps after a task.
  await until(async () => {
    await commandAll();
    return (await buildsOf()).filter((build) => build === 'two').length === SUBSCRIPTIONS - 1;
  });
  await moveClock(installation, operator, 31 * DAY_MS);
  await until(async () => (await buildsOf()).filter((build) => build === 'two').length === SUBSCRIPTIONS - 1);
  expect(await buildsOf()).toEqual(['one', ...each('two').slice(1)]);

  await temporal(...override, '--versioning-override-behavior', 'unspecified');
  await until(async () => {
    await commandAll();
    return (await buildsOf()).every((build) => build === 'two');
  });
  await until(async () => (await drainageOf('one')) === 'drained');
  await one.stop();
  await commandAll();
  expect(await renewedOnce(installation, operator)).toBe(SUBSCRIPTIONS);

  // Workers without the variables receive no tasks as long as a build is current.
  await installation.startProcess('worker');
  await two.stop();
  await temporal(
    ...['worker', 'deployment', 'set-current-version'],
    ...['--deployment-name', NAME, '--unversioned', '--yes'],
  );
  await until(async () => {
    await commandAll();
    return (await buildsOf()).every((build) => build === undefined);
  });

  // Going back to workers that do not know a patch marker: its runs are terminated, and begin again from their rows.
  const runsOf = async (id: string) => (await client.workflow.getHandle(workflowOf(id)).describe()).runId;
  const terminated = await Promise.all(ids.map(runsOf));
  const marked = `TemporalChangeVersion IN ('${MARKER}', '2026-11-read-after-pause') AND ExecutionStatus = 'Running'`;
  await until(async () => (await client.workflow.count(marked)).count === SUBSCRIPTIONS);
  await temporal('workflow', 'terminate', '--query', marked, '--yes');
  await until(async () => (await client.workflow.count(marked)).count === 0);
  await commandAll();
  const after = await Promise.all(ids.map(runsOf));
  expect(after.filter((run) => terminated.includes(run))).toEqual([]);

  const onThePage = UPGRADE.match(/^\$ temporal .*\n/gm) ?? [];
  expect(onThePage).toHaveLength(6);
  expect(onThePage.filter((command) => !ran.has(command))).toEqual([]);
});
