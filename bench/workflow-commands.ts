import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { subscriptionWorkflowId } from '../src/temporal/workflow-ids';
import type { Actor, WorkspaceScope } from '../src/tenancy/actor';
import { formatCost, startCost } from './cost';
import { formatHistoryCost, readHistoryCost } from './history-cost';
import { onServer } from './seed';
import { formatStatements, startCountingStatements } from './statements';
import { percentile } from './percentile';
import { CONCURRENCY, eachOf, quoted, type Bench } from './workflow-bench';

/** Measures seat increases and decreases, each a separate idempotent command through its subscription's workflow. */
export async function measureCommands(bench: Bench): Promise<void> {
  const { operations, scope, admin, scratch, targets, commands, alone, pids, client } = bench;
  await onServer(scratch.url(), [
    `UPDATE tollgate.subscriptions SET pricing = 'per_seat' WHERE id IN (${quoted(targets)})`,
  ]);
  /** The latest command of each subscription. If one overtook another, an increase of seats would become a decrease. */
  const latest = new Map<string, Promise<unknown>>();
  const send = async (turn: number, key?: string): Promise<number> => {
    const subscriptionId = targets[turn % targets.length] ?? '';
    const before = latest.get(subscriptionId) ?? Promise.resolve();
    const sent = before.then(() => change(subscriptionId, turn, key));
    latest.set(
      subscriptionId,
      sent.catch(() => undefined),
    );
    return sent;
  };
  const change = async (
    subscriptionId: string,
    turn: number,
    key: string = randomUUID(),
  ): Promise<number> => {
    const begun = performance.now();
    const command = {
      kind: 'change' as const,
      subscriptionId,
      targetId: subscriptionId,
      input: { seats: 2 + Math.floor(turn / targets.length) },
    };
    const claim = { key, fingerprint: createHash('sha256').update(key).digest() };
    for (;;) {
      const submitted = await operations.submit(operatorOf(scope), command, claim);
      if (submitted.kind === 'answered') return performance.now() - begun;
      // It takes longer than its caller waits (202). The same command under its key waits on, and all of it is counted.
    }
  };
  // The worker must be up, and each workflow running, before the clock starts.
  for (let turn = 0; turn < targets.length; turn += 1) {
    // Under one key, because the first may fail after it was accepted, and is still carried out.
    const key = randomUUID();
    await patiently(() => send(turn, key));
  }
  // As many connections as callers: a deployed process has them open, and opening one costs Postgres as much as ten
  // commands.
  const warm = 3 * targets.length;
  await eachOf(warm - targets.length, async (index) => {
    const key = randomUUID();
    await patiently(() => send(targets.length + index, key));
  });
  // As autovacuum does within a minute: plans of empty tables do not distinguish indexes.
  await onServer(scratch.url(), ['ANALYZE']);
  if (bench.countsStatements) await startCountingStatements(scratch.url());
  const processes = { ...pids, api: process.pid };
  const [since, begun, cost] = [Date.now(), performance.now(), startCost(processes)];
  const times: number[] = [];
  await eachOf(commands, async (index) => {
    times.push(await send(warm + index));
  });
  const seconds = (performance.now() - begun) / 1_000;
  console.log(formatCost('commands', cost(commands)));
  if (bench.countsStatements) console.log(await formatStatements(admin, 'commands', commands));
  const ids = targets.map((id) => subscriptionWorkflowId(scope.environment, id));
  console.log(formatHistoryCost('commands', await readHistoryCost(client, ids, since), commands));

  const costAlone = startCost(processes);
  const timesAlone: number[] = [];
  for (let turn = 0; turn < alone; turn += 1) timesAlone.push(await send(warm + commands + turn));
  console.log(formatCost('commands alone', costAlone(alone)));
  console.log(
    `commands alone: ${alone}, one after the other: p50 ${percentile(timesAlone, 0.5).toFixed(0)} ms, p99 ${percentile(timesAlone, 0.99).toFixed(0)} ms`,
  );
  const { rows } = await admin.query<{ count: string }>(
    "SELECT count(*) FROM tollgate.subscription_transactions WHERE kind = 'proration'",
  );
  console.log(
    `commands: ${commands} at ${CONCURRENCY} at once over ${targets.length} subscriptions in ${seconds.toFixed(1)} s = ${(commands / seconds).toFixed(0)}/s, p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms; transactions ${rows[0]?.count ?? '?'} of ${warm + commands + alone}`,
  );
}

function operatorOf(scope: WorkspaceScope): Actor {
  const now = Date.now();
  return {
    scope,
    reason: 'OPERATOR',
    operatorId: null,
    apiKeyId: null,
    ip: null,
    requestId: randomUUID(),
    receivedAt: now,
    now,
  };
}

/** Retries while the worker registers what it needs: until then nothing can be started. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (failures > 60) throw error;
      await pause(500);
    }
  }
}
