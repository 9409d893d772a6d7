import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock';
import type { nextWakeSweep } from '../../workflows/next-wake-sweep';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { CALL_MS } from './client';
import { grpcCodeOf } from './failures';
import { BILLING_QUEUE } from './task-queues';
import { NEXT_WAKE_SWEEP_ID } from './workflow-ids';

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
 * Makes the hourly sweep's schedule, or brings it to what this build knows. Whether an operator paused it stays.
 *
 * @throws when Temporal is away
 */
export async function ensureSweepSchedule(client: Client, clock: Clock): Promise<void> {
  await client.withDeadline(clock.now() + CALL_MS, async () => {
    try {
      await client.schedule.create(sweep);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { spec, policies, action } = sweep;
      await client.schedule
        .getHandle(NEXT_WAKE_SWEEP_ID)
        .update<typeof nextWakeSweep>(({ state }) => ({ spec, policies, action, state }));
    }
  });
}
