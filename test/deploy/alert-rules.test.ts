import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPromtool } from '../support/promtool';

/**
 * Each alert fires in the situation that it is for, and no other fires with it. Prometheus's own tool evaluates the
 * rules, so a machine without it only checks that every alert has such a situation.
 */
const RULES = path.join(__dirname, '..', '..', 'deploy', 'prometheus', 'rules.yml');

interface Situation {
  /** Values by series, one in each interval, in promtool's notation. */
  series: Record<string, string>;
  /** A minute by default. */
  interval?: string;
  /** Names of the alerts that fire, by minute. */
  fires: Record<number, string[]>;
}

const JOBS = ['api', 'worker', 'relay', 'deliver', 'maintain'];
const UP = Object.fromEntries(JOBS.map((job) => [`up{job="tollgate-${job}",instance="${job}"}`, '1x1580']));
const answers = (route: string, status: number): string =>
  `tollgate_http_request_duration_seconds_count{host="production",instance="api",route="${route}",status="${status}"}`;
const calls = (environment: string, outcome: string): string =>
  `tollgate_provider_call_duration_seconds_count{environment="${environment}",provider="provider_b",outcome="${outcome}"}`;
const attempts = (instance: string): string =>
  `tollgate_webhook_attempts_total{instance="${instance}",outcome="not_sent"}`;
const round = (name: string): string => `tollgate_maintenance_success_timestamp_seconds{round="${name}"}`;
const pastDue = (instance: string): string =>
  `tollgate_past_due_subscriptions{instance="${instance}",environment="production"}`;
const slots = (queue: string): string =>
  `temporal_worker_task_slots_available{instance="worker",task_queue="${queue}",worker_type="ActivityWorker"}`;
const latency = (queue: string, le: string): string =>
  `temporal_workflow_task_schedule_to_start_latency_bucket{task_queue="${queue}",le="${le}"}`;
const failures = (instance: string): string =>
  `temporal_workflow_task_execution_failed{instance="${instance}",task_queue="billing-production",workflow_type="subscription"}`;
const age = (metric: string, environment: string): string =>
  `tollgate_${metric}_oldest_seconds{instance="maintain",environment="${environment}"}`;

const WEBHOOKS = '/v1/webhooks/:provider';
const SITUATIONS: Record<string, Situation> = {
  'all is well': {
    series: {
      [answers('/v1/usage/track', 200)]: '0+600x120',
      [answers('/v1/usage/track', 503)]: '0x20 3x100',
      [answers(WEBHOOKS, 200)]: '0+10x120',
      [answers(WEBHOOKS, 401)]: '0+1x120',
      [calls('production', 'succeeded')]: '0+10x120',
      'tollgate_outbox_oldest_seconds{instance="maintain"}': '0 20 0x118',
      [round('minute')]: '0+60x120',
      [round('usage')]: '0+60x120',
      [round('hour')]: '0x59 3600x61',
      [slots('billing-production')]: '100 0 100 0x5 100x113',
    },
    fires: { 30: [], 60: [], 119: [] },
  },
  'a process does not answer': {
    series: { 'up{job="tollgate-relay",instance="relay"}': '1x9 0x20' },
    fires: { 8: [], 13: ['TollgateProcessDown'] },
  },
  'one of two does not answer': {
    series: { 'up{job="tollgate-api",instance="api-2"}': '1x9 0x20' },
    fires: { 13: ['TollgateProcessDown'] },
  },
  'discovery no longer finds maintain': {
    series: { 'up{job="tollgate-maintain",instance="maintain"}': '1x9 stale _x20' },
    fires: { 12: [], 16: ['TollgateProcessMissing'] },
  },
  'a pod is replaced by another': {
    series: {
      'up{job="tollgate-maintain",instance="maintain"}': '1x9 stale _x20',
      'up{job="tollgate-maintain",instance="maintain-2"}': '_x10 0 1x20',
    },
    fires: { 11: [], 20: [] },
  },
  'one answer in fifty is a server error': {
    series: { [answers('/v1/usage/track', 200)]: '0+49x60', [answers('/v1/usage/track', 500)]: '0+1x60' },
    fires: { 15: ['TollgateServerErrors'] },
  },
  'one api after the other drains for minutes, with few callers': {
    series: { [answers('/v1/usage/track', 200)]: '0+2x60', [answers('/readyz', 503)]: '0+30x60' },
    fires: { 30: [] },
  },
  'callers wait for connections': {
    series: { 'tollgate_database_connections{pool="general",state="waiting",instance="api"}': '0x5 3x20' },
    fires: { 6: [], 12: ['TollgateDatabaseConnectionsWaiting'] },
  },
  'the relay takes no jobs': {
    series: { 'tollgate_outbox_oldest_seconds{instance="maintain"}': '0+60x30' },
    fires: { 8: [], 12: ['TollgateOutboxStuck'] },
  },
  'a workflow cannot be signalled': {
    series: { 'tollgate_outbox_failing_jobs{instance="maintain"}': '0x5 1x30' },
    fires: { 15: [], 22: ['TollgateOutboxJobsFail'] },
  },
  'webhooks are late': {
    series: {
      [age('webhook_deliveries', 'production')]: '0+60x30',
      [age('webhook_deliveries', 'sandbox')]: '0x30',
    },
    fires: { 8: [], 12: ['TollgateWebhooksLate'] },
  },
  'only a sandbox is late': {
    series: {
      [age('webhook_deliveries', 'sandbox')]: '0+60x60',
      [age('overdue_wakes', 'sandbox')]: '0+60x60',
      [age('open_operations', 'sandbox')]: '0+60x60',
      [slots('billing-sandbox')]: '0x60',
    },
    fires: { 50: [] },
  },
  // One message's attempts, at 0 and 5 seconds and after 1, 6 and 36 minutes, by two delivers in turn.
  'a webhook cannot be made': {
    series: { [attempts('deliver')]: '0 1 2x34 3x30', [attempts('deliver-2')]: '0 1x5 2x60' },
    fires: { 5: [], 18: ['TollgateWebhooksNotMade'] },
  },
  'a renewal is late': {
    series: { [age('overdue_wakes', 'production')]: '0+60x30' },
    fires: { 10: [], 17: ['TollgateRenewalsOverdue'] },
  },
  'a command has no outcome': {
    series: { [age('open_operations', 'production')]: '0+60x30' },
    fires: { 15: [], 22: ['TollgateCommandsWithoutOutcome'] },
  },
  'the round of an hour has never succeeded, and usage not for half an hour': {
    series: {
      [round('minute')]: '0+60x240',
      [round('usage')]: '0+60x210 12600x30',
      [round('hour')]: '0x240',
    },
    fires: { 180: [], 230: ['TollgateMaintenanceLate'] },
  },
  'a busy provider’s webhooks are refused from now on': {
    series: { [answers(WEBHOOKS, 200)]: '0+10x60 600x60', [answers(WEBHOOKS, 401)]: '0x60 10+10x59' },
    fires: { 60: [], 95: ['TollgateWebhooksRefused'] },
  },
  'a quiet provider’s webhooks are refused, two an hour': {
    series: { [answers(WEBHOOKS, 401)]: '1x29 2x29 3x29 4x29 5x29' },
    fires: { 100: ['TollgateWebhooksRefused'], 140: ['TollgateWebhooksRefused'] },
  },
  'a provider does not answer': {
    series: { [calls('production', 'unknown')]: '3x10 4+1x50', [calls('production', 'succeeded')]: '90x60' },
    fires: { 10: [], 40: ['TollgateProviderCallsFail'] },
  },
  'a provider refuses the key': {
    series: {
      [calls('production', 'credentials_refused')]: '3x10 4+1x50',
      [calls('production', 'succeeded')]: '90x60',
    },
    fires: { 10: [], 40: ['TollgateProviderCallsFail'] },
  },
  'a provider does not answer workers of the version before, which do not name the environment': {
    series: { [calls('', 'unknown')]: '3x10 4+1x50', [calls('', 'succeeded')]: '90x60' },
    fires: { 40: ['TollgateProviderCallsFail'] },
  },
  'at night, four calls to a provider time out': {
    series: {
      [calls('production', 'unknown')]: '3x10 7x50',
      [calls('production', 'succeeded')]: '90x60',
    },
    // As in practice, no samples are at the ends of a range, to which `increase` extrapolates.
    interval: '59s',
    fires: { 18: [], 22: [], 23: [] },
  },
  'the test mode of a provider does not answer': {
    series: { [calls('sandbox', 'unknown')]: '0+5x60', [calls('production', 'succeeded')]: '0+5x60' },
    fires: { 40: [] },
  },
  // Before, as many as a day ago. No longer than it takes, because all rules are evaluated for each minute.
  'twice as many are past due as a day ago, and maintain has been replaced': {
    series: { [pastDue('maintain')]: '60x1510 stale', [pastDue('maintain-2')]: '_x1511 130x70' },
    fires: { 1509: [], 1575: ['TollgatePastDueGrows'] },
  },
  'a worker has no slots left': {
    series: { [slots('providers-production')]: '5x5 0x20' },
    fires: { 10: [], 17: ['TollgateWorkerSlotsUsedUp'] },
  },
  'workflow tasks wait for ten seconds': {
    series: {
      [latency('billing-production', '1000')]: '0x40',
      [latency('billing-production', '5000')]: '0x40',
      [latency('billing-production', '10000')]: '0+10x40',
      [latency('billing-production', '+Inf')]: '0+10x40',
    },
    fires: { 30: ['TollgateWorkerTasksLate'] },
  },
  'a worker is back, and takes within three minutes what waited for it': {
    series: {
      [latency('billing-production', '5000')]: '0x60',
      [latency('billing-production', '10000')]: '0x20 100 200 300x38',
      [latency('billing-production', '+Inf')]: '0x20 100 200 300x38',
    },
    fires: { 24: [], 31: [], 32: [], 33: [], 40: [] },
  },
  // Temporal tries again after ten minutes at most.
  'a workflow cannot continue, tried by two workers in turn': {
    series: { [failures('worker')]: '1x19 2x19 3x19 4x19', [failures('worker-2')]: '_x9 1x19 2x19 3x19 4x9' },
    fires: { 70: ['TollgateWorkflowTasksFail'] },
  },
  'a workflow’s task failed once': {
    series: { [failures('worker')]: '0x5 1x80' },
    fires: { 30: [], 46: [], 60: [] },
  },
};

const names = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

test('every alert has a situation in which it fires', () => {
  const firing = new Set(Object.values(SITUATIONS).flatMap(({ fires }) => Object.values(fires).flat()));
  expect([...firing].sort()).toEqual([...names].sort());
});

const promtool = findPromtool();
(promtool === undefined ? test.skip : test)('the alerts fire in these situations, and no others', () => {
  const tests = Object.entries(SITUATIONS).map(([name, { series, interval = '1m', fires }]) => ({
    name,
    interval,
    input_series: Object.entries({ ...UP, ...series }).map(([one, values]) => ({ series: one, values })),
    promql_expr_test: Object.entries(fires).map(([minute, alerts]) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${minute}m`,
      exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  }));
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-rules-'));
  try {
    const file = path.join(directory, 'test.json');
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
    expect(execFileSync(promtool ?? '', ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
