import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { subscriptionWorkflowId } from '../src/temporal/workflow-ids';
import { formatCost, startCost } from './cost';
import { formatHistoryCost, readHistoryCost, type HistoryCost } from './history-cost';
import type { Round, RoundResult } from './round';
import { formatStatements, startCountingStatements } from './statements';
import { eachOf, quoted, type Bench } from './workflow-bench';

const CHECK_CONNECTIONS = 8;
/** Workflows whose histories are read. */
const SAMPLED_HISTORIES = 40;

/** Measures renewals of subscriptions whose periods all end in the same second, while checks continue. */
export async function measureRenewals(bench: Bench): Promise<void> {
  const { children, scratch, admin, scope, signals, renewals, targets, checkSeconds, pids, client } = bench;
  const server = children.fork('server', [scratch.appUrl]);
  const ports = await children.reply<{ service: number }>(server);
  const generator = children.fork('load');
  const check = (seconds: number): Promise<RoundResult> => {
    const round: Round = {
      url: `http://127.0.0.1:${ports.service}`,
      path: '/v1/usage/check',
      key: scratch.key,
      connections: CHECK_CONNECTIONS,
      seconds,
      customers: Math.min(1_000, renewals + targets.length),
    };
    generator.send(round);
    return children.reply<RoundResult>(generator);
  };
  try {
    // Time for starting the workflows and for measuring checks on their own.
    const due = Date.now() + (checkSeconds + 4) * 2_000 + renewals * 20;
    await admin.query(
      `UPDATE tollgate.subscriptions SET billing_anchor = $1, current_period_end = $1, next_wake_at = $1,
              current_period_start = $1::timestamptz - interval '1 month'
        WHERE id NOT IN (${quoted(targets)})`,
      [new Date(due)],
    );
    await eachOf(renewals, (index) => signals.subscription({ ...scope, subscriptionId: `sub_${index + 1}` }));
    if (checkSeconds > 0) await check(Math.min(2, checkSeconds));
    const before = checkSeconds > 0 ? await check(checkSeconds) : undefined;
    await pause(Math.max(0, due - Date.now() - 500));
    if (bench.countsStatements) await startCountingStatements(scratch.url());
    const cost = startCost(pids);
    const during = before === undefined ? undefined : check(checkSeconds + 2);
    await untilRenewed(admin, due);
    const seconds = (Date.now() - due) / 1_000;
    if (bench.countsStatements) console.log(await formatStatements(admin, 'renewals', renewals));
    const sample = Math.min(renewals, SAMPLED_HISTORIES);
    const ids = Array.from({ length: sample }, (_, index) =>
      subscriptionWorkflowId(scope.environment, `sub_${index + 1}`),
    );
    const histories = await settledHistoryCost(client, ids, due);
    console.log(formatCost(before === undefined ? 'renewals' : 'renewals and checks', cost(renewals)));
    console.log(formatHistoryCost('renewals', histories, sample));
    const { rows } = await admin.query<{ once: string; more: string }>(
      `SELECT count(*) FILTER (WHERE n = 1) AS once, count(*) FILTER (WHERE n > 1) AS more FROM (
         SELECT count(*) AS n FROM tollgate.subscription_transactions WHERE kind = 'renewal' GROUP BY subscription_id) AS t`,
    );
    console.log(
      `renewals: ${renewals} due in one second, done after ${seconds.toFixed(1)} s = ${(renewals / seconds).toFixed(0)}/s; renewed once ${rows[0]?.once ?? '?'}, more than once ${rows[0]?.more ?? '?'}`,
    );
    const meanwhile = await during;
    if (before !== undefined && meanwhile !== undefined) console.log(compareChecks(before, meanwhile));
  } finally {
    for (const child of [server, generator]) children.letGo(child);
  }
}

/** Waits until histories stop growing, because a row is renewed before its workflow sleeps again. */
async function settledHistoryCost(...parameters: Parameters<typeof readHistoryCost>): Promise<HistoryCost> {
  for (let known = -1; ;) {
    const cost = await readHistoryCost(...parameters);
    if (cost.events === known) return cost;
    known = cost.events;
    await pause(2_000);
  }
}

function compareChecks(before: RoundResult, meanwhile: RoundResult): string {
  return `check at ${CHECK_CONNECTIONS} connections: p99 ${before.p99.toFixed(1)} ms before, ${meanwhile.p99.toFixed(1)} ms meanwhile (${(before.requests / before.seconds).toFixed(0)}/s before, ${(meanwhile.requests / meanwhile.seconds).toFixed(0)}/s meanwhile, failures ${before.failures + meanwhile.failures})`;
}

async function untilRenewed(admin: Client, due: number): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ left: string }>(
      'SELECT count(*) AS left FROM tollgate.subscriptions WHERE current_period_end = $1',
      [new Date(due)],
    );
    if (rows[0]?.left === '0') return;
    await pause(100);
  }
}
