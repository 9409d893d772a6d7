import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime, Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { workflowBundle } from '../support/workflow-bundle';
import { SkippedTime } from '../workflows/time-skipping';
import { localScenarios } from './local-scenarios';
import { movedScenarios } from './moved-scenarios';
import { providerScenarios } from './provider-scenarios';
import { subscriptionScenarios } from './scenarios';
import { shortScenarios } from './short-scenarios';

const scenarios = {
  ...subscriptionScenarios,
  ...providerScenarios,
  ...shortScenarios,
  ...movedScenarios,
  ...localScenarios,
};

/**
 * Histories recorded by earlier versions. Today's code must replay them, or every sleeping subscription would fail to
 * wake. Never edit a history. After a change behind a patch marker, or for a new scenario,
 * UPDATE_HISTORIES=1 npx jest test/replay creates the missing ones.
 */
const HISTORIES = path.join(__dirname, 'histories');
const fileOf = (name: string): string => path.join(HISTORIES, `${name}.json`);
const stored = (): string[] => readdirSync(HISTORIES).map((file) => path.basename(file, '.json'));
const read = (name: string): string => readFileSync(fileOf(name), 'utf8');

let options: ReplayWorkerOptions;
beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  if (process.env['UPDATE_HISTORIES'] === '1') await record();
  else Runtime.install({ logger });
  options = await workflowBundle();
});

async function record(): Promise<void> {
  const time = await SkippedTime.start();
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      if (stored().includes(name)) continue;
      const input = {
        workspaceId: 'org_replay',
        environment: 'sandbox',
        subscriptionId: `sub_${name}`,
      } as const;
      const history: unknown = JSON.parse(await scenario(time, input));
      writeFileSync(fileOf(name), `${JSON.stringify(history, null, 2)}\n`);
    }
  } finally {
    await time.stop();
  }
}

test('each scenario has its history', () => {
  expect(stored().sort()).toEqual(Object.keys(scenarios).sort());
});

// Replays use a queue of no environment, like runs that started before each environment had its own.
test.each(Object.keys(scenarios))('replays %s', async (name) => {
  await Worker.runReplayHistory(options, historyFromJSON(JSON.parse(read(name))), 'replayed');
});

test('Temporal’s packages use the project’s own copy of protobufjs: with several, no history can be read', () => {
  const ours = require.resolve('protobufjs');
  for (const name of ['@temporalio/common', '@temporalio/proto']) {
    expect(require.resolve('protobufjs', { paths: [require.resolve(`${name}/package.json`)] })).toBe(ours);
  }
});

test('a workflow that would do something else is caught', async () => {
  const other = read('period-turned').replaceAll('"takeStep"', '"loadSubscription"');
  expect(other).not.toBe(read('period-turned'));
  await expect(
    Worker.runReplayHistory(options, historyFromJSON(JSON.parse(other)), 'replayed'),
  ).rejects.toThrow(/nondetermin/i);
});

/** The members that may appear in a workflow's payloads; none of them identifies a person. */
const KNOWN_MEMBERS = new Set([
  ...['workspaceId', 'environment', 'subscriptionId', 'checkoutId', 'refundId', 'erasureId', 'paymentId'],
  ...['step', 'boundary', 'at', 'key', 'operationId', 'attempt', 'command', 'kind', 'view', 'problem'],
  ...['provider', 'planSlug', 'seats', 'scheduled', 'status', 'interval', 'timeZone', 'billingAnchor'],
  ...['trialEnd', 'currentPeriodStart', 'currentPeriodEnd', 'paymentDueAt', 'pastDueSince'],
  ...['incompleteUntil', 'scheduledInterval', 'nextPeriodIsFree', 'pastDueAfterDays', 'expireAfterDays'],
  ...[
    'clockOffset',
    'renewalDelay',
    'open',
    'expiresAt',
    'request',
    'amount',
    'currency',
    'idempotencyKey',
    'outcome',
  ],
  ...[
    'cancelAtPeriodEnd',
    'cancelAt',
    'work',
    'unsettled',
    'sync',
    'state',
    'retryAt',
    'lookAt',
    'lookAgainAt',
    'pastDueReadAt',
  ],
  ...['after', 'moved', 'id', 'deprecated'],
  ...['connectionId', 'connections', 'begun', 'compared', 'found', 'gone', 'unread', 'failed'],
  // Members that the SDK writes alongside a local activity's result.
  ...['seq', 'activity_id', 'activity_type', 'complete_time', 'backoff', 'original_schedule_time'],
  ...['seconds', 'nanos'],
  ...['nextWakeAt', 'code', 'detail', 'errors', 'extra', 'retryAfter', 'reason', 'capability', 'name'],
]);

test.each(Object.keys(scenarios))('%s holds no personal data, no secret and nothing of its maker', (name) => {
  const text = read(name);
  const payloads = payloadsOf(JSON.parse(text));
  expect(payloads.length).toBeGreaterThan(0);
  for (const payload of payloads) {
    expect(payload).not.toMatch(/[^\s"]@[^\s"]/);
    const members = membersOf(JSON.parse(payload));
    expect(members.filter((member) => !KNOWN_MEMBERS.has(member))).toEqual([]);
  }
  expect(text).not.toContain(hostname());
  expect(text).not.toContain(path.resolve(__dirname, '..', '..'));
});

/** Returns the names of all members at any depth. */
function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(membersOf)];
}

/** Returns the decoded contents of every payload anywhere in the history. */
function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('data' in value && typeof value.data === 'string' && 'metadata' in value) {
    return [Buffer.from(value.data, 'base64').toString()];
  }
  return Object.values(value).flatMap(payloadsOf);
}
