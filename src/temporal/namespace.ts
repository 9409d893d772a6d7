import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock';
import type { driftReport } from '../../workflows/drift-report';
import type { nextWakeSweep } from '../../workflows/next-wake-sweep';
import type { settlementPoll } from '../../workflows/settlement-poll';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { CALL_MS } from './client';
import { grpcCodeOf } from './failures';
import { BILLING_QUEUE } from './task-queues';
import { DRIFT_REPORT_ID, NEXT_WAKE_SWEEP_ID, SETTLEMENT_POLL_ID } from './workflow-ids';

const ALREADY_EXISTS = 6;
/** Where operators may not, or cannot, be asked through the API, as in Temporal Cloud. */
const NOT_OURS_TO_DO = new Set([7 /* PERMISSION_DENIED */, 12 /* UNIMPLEMENTED */]);

/**
 * Registers the search attributes that are missing. Workflows cannot be started without them.
 *
 * @throws when Temporal is away
 */
export async function ensureSearchAttributes(client: Client, clock: Clock, log: Logger): Promise<void> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  await client.withDeadline(clock.now() + CALL_MS, async () => {
    try {
      const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
      for (const { name, type } of searchAttributeKeys) {
        const indexed = encodeSearchAttributeIndexedValueType(type);
        if (name in customAttributes || indexed === undefined) continue;
        await operatorService
          .addSearchAttributes({ namespace, searchAttributes: { [name]: indexed } })
          .catch(ignoring(ALREADY_EXISTS));
      }
    } catch (error) {
      if (!NOT_OURS_TO_DO.has(grpcCodeOf(error) ?? 0)) throw error;
      const names = searchAttributeKeys.map(({ name }) => name).join(', ');
      log.warn(`Temporal does not let search attributes be registered: make sure it has ${names} (Keyword)`);
    }
  });
}

/** Another process was quicker. */
function ignoring(code: number): (error: unknown) => void {
  return (error) => {
    if (grpcCodeOf(error) !== code) throw error;
  };
}

const sweep = {
  scheduleId: NEXT_WAKE_SWEEP_ID,
  spec: { intervals: [{ every: '1h' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1h' },
  action: {
    type: 'startWorkflow',
    workflowType: 'nextWakeSweep',
    workflowId: NEXT_WAKE_SWEEP_ID,
    taskQueue: BILLING_QUEUE,
    args: [],
  },
} as const satisfies ScheduleOptions;

/**
 * Daily: what a day brings is known soon enough, and each connection costs its provider calls. Half past three (UTC)
 * is after midnight, when C pays out and B's days end, and after the three hours by which B's reports are late.
 */
const settlementPolls = {
  scheduleId: SETTLEMENT_POLL_ID,
  spec: { intervals: [{ every: '24h', offset: '210m' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12h' },
  action: {
    type: 'startWorkflow',
    workflowType: 'settlementPoll',
    workflowId: SETTLEMENT_POLL_ID,
    taskQueue: BILLING_QUEUE,
    args: [],
  },
} as const satisfies ScheduleOptions;

/** Daily, after the settlements: each open subscription costs its provider a call. */
const driftReports = {
  scheduleId: DRIFT_REPORT_ID,
  spec: { intervals: [{ every: '24h', offset: '270m' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12h' },
  action: {
    type: 'startWorkflow',
    workflowType: 'driftReport',
    workflowId: DRIFT_REPORT_ID,
    taskQueue: BILLING_QUEUE,
    args: [],
  },
} as const satisfies ScheduleOptions;

/**
 * Makes the hourly sweep's schedule, or brings it to what this build knows. Whether an operator paused it stays.
 *
 * @throws when Temporal is away
 */
export function ensureSweepSchedule(client: Client, clock: Clock): Promise<void> {
  return ensureSchedule(client, clock, sweep);
}

/** The same for the daily question for settlements. @throws when Temporal is away */
export function ensureSettlementSchedule(client: Client, clock: Clock): Promise<void> {
  return ensureSchedule(client, clock, settlementPolls);
}

/** The same for the daily report of drift. @throws when Temporal is away */
export function ensureDriftSchedule(client: Client, clock: Clock): Promise<void> {
  return ensureSchedule(client, clock, driftReports);
}

async function ensureSchedule(
  client: Client,
  clock: Clock,
  schedule: typeof sweep | typeof settlementPolls | typeof driftReports,
): Promise<void> {
  await client.withDeadline(clock.now() + CALL_MS, async () => {
    try {
      await client.schedule.create(schedule);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { spec, policies, action, scheduleId } = schedule;
      await client.schedule
        .getHandle(scheduleId)
        .update<typeof nextWakeSweep | typeof settlementPoll | typeof driftReport>(({ state }) => ({
          spec,
          policies,
          action,
          state,
        }));
    }
  });
}
