import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client';
import type { driftReport } from '../../workflows/drift-report';
import type { nextWakeSweep } from '../../workflows/next-wake-sweep';
import type { settlementPoll } from '../../workflows/settlement-poll';
import type { Clock } from '../clock/system-clock';
import { ENVIRONMENTS, type Environment } from '../domain/environment';
import { CALL_TIMEOUT_MS } from './client';
import { onceSettled } from './once-settled';
import { billingQueue } from './task-queues';
import { DRIFT_REPORT_ID, NEXT_WAKE_SWEEP_ID, scheduleId, SETTLEMENT_POLL_ID } from './workflow-ids';

type ScheduledWorkflow = typeof nextWakeSweep | typeof settlementPoll | typeof driftReport;
type Schedule = Pick<ScheduleOptions, 'scheduleId' | 'spec' | 'policies'> & {
  action: ScheduleOptionsStartWorkflowAction<ScheduledWorkflow>;
};

/**
 * Returns the schedules of one environment. Hourly: the sweep for overdue wakes. Daily, because they call each
 * connection's provider: settlements at 03:30 UTC, because C pays out and B's day ends at midnight, and B's reports are
 * three hours late; and the drift report an hour later.
 */
function schedulesOf(environment: Environment): (Schedule & { earlierId: string })[] {
  const start = { type: 'startWorkflow', taskQueue: billingQueue(environment) } as const;
  const overlap = ScheduleOverlapPolicy.SKIP;
  const sweepId = scheduleId(NEXT_WAKE_SWEEP_ID, environment);
  const pollId = scheduleId(SETTLEMENT_POLL_ID, environment);
  const reportId = scheduleId(DRIFT_REPORT_ID, environment);
  return [
    {
      scheduleId: sweepId,
      earlierId: NEXT_WAKE_SWEEP_ID,
      spec: { intervals: [{ every: '1h' }] },
      policies: { overlap, catchupWindow: '1h' },
      action: { ...start, workflowType: 'nextWakeSweep', workflowId: sweepId, args: [environment] },
    },
    {
      scheduleId: pollId,
      earlierId: SETTLEMENT_POLL_ID,
      spec: { intervals: [{ every: '24h', offset: '210m' }] },
      policies: { overlap, catchupWindow: '12h' },
      action: { ...start, workflowType: 'settlementPoll', workflowId: pollId, args: [{ environment }] },
    },
    {
      scheduleId: reportId,
      earlierId: DRIFT_REPORT_ID,
      spec: { intervals: [{ every: '24h', offset: '270m' }] },
      policies: { overlap, catchupWindow: '12h' },
      action: { ...start, workflowType: 'driftReport', workflowId: reportId, args: [{ environment }] },
    },
  ];
}

/**
 * Creates an environment's schedules, or updates them to this build's. A schedule paused by an operator stays paused,
 * even if it was an earlier version's schedule for both environments.
 *
 * @returns whether any was created
 * @throws Error if Temporal is unavailable
 */
export async function ensureSchedules(
  client: Client,
  clock: Clock,
  environment: Environment,
): Promise<boolean> {
  let anyCreated = false;
  for (const { earlierId, ...schedule } of schedulesOf(environment)) {
    const created = await onceSettled(() =>
      client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () => ensureSchedule(client, schedule, earlierId)),
    );
    anyCreated ||= created;
  }
  return anyCreated;
}

/**
 * Returns the ids of an environment's schedules that Temporal does not have, and of those that an operator has paused.
 *
 * @throws Error if Temporal is unavailable
 */
export async function inactiveSchedules(
  client: Client,
  clock: Clock,
  environment: Environment,
): Promise<{ missing: string[]; paused: string[] }> {
  const missing: string[] = [];
  const paused: string[] = [];
  // One by one: the caller may close the client after a failure, and a call still retried then ends the process.
  for (const { scheduleId: id } of schedulesOf(environment)) {
    const state = await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () => stateOf(client, id));
    if (state === undefined) missing.push(id);
    else if (state.paused) paused.push(id);
  }
  return { missing, paused };
}

/**
 * Deletes the schedules of earlier versions, once both environments have their own.
 *
 * @throws Error if Temporal is unavailable
 */
export async function removeEarlierSchedules(client: Client, clock: Clock): Promise<void> {
  for (const { earlierId } of schedulesOf('production')) {
    const { schedule } = client;
    const remove = async (): Promise<void> => {
      // One by one: the caller may close the client after a failure, and a call still retried then ends the process.
      for (const environment of ENVIRONMENTS) {
        if ((await stateOf(client, scheduleId(earlierId, environment))) === undefined) return;
      }
      await schedule.getHandle(earlierId).delete().catch(ignoreMissing);
    };
    await onceSettled(() => client.withDeadline(clock.now() + CALL_TIMEOUT_MS, remove));
  }
}

/** @returns whether it was created */
async function ensureSchedule(client: Client, schedule: Schedule, earlierId: string): Promise<boolean> {
  const earlier = await stateOf(client, earlierId);
  const state = earlier?.paused === true ? { paused: true, note: earlier.note ?? '' } : {};
  try {
    await client.schedule.create({ ...schedule, state });
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId: id, ...changed } = schedule;
    await client.schedule
      .getHandle(id)
      .update<ScheduledWorkflow>((known) => ({ ...changed, state: known.state }));
    return false;
  }
}

async function stateOf(client: Client, id: string): Promise<{ paused: boolean; note?: string } | undefined> {
  try {
    return (await client.schedule.getHandle(id).describe()).state;
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
