import { proxyActivities } from '@temporalio/workflow';
import { WHOLE_CONNECTION } from './activity-options';
import type { DriftReportActivities, SettlementConnection } from './activity-types';
import { eachConnection, isLongRun, type ConnectionProgress } from './each-connection';
import { providersQueueOf } from './continue-run-as-new';

/** Progress of a report. */
export interface DriftReportInput extends ConnectionProgress {
  /** Counts of subscriptions compared, of new and ended differences, and of subscriptions that could not be read. */
  compared: number;
  found: number;
  gone: number;
  unread: number;
  /** Connections that failed. */
  failed: number;
}

const BEGINNING: DriftReportInput = { after: '', compared: 0, found: 0, gone: 0, unread: 0, failed: 0 };

/**
 * Compares the open subscriptions of every connection with their provider; run by a schedule. A developer event reports
 * new differences. A connection that fails is compared the next day.
 */
export async function driftReport(input: Partial<DriftReportInput> = {}): Promise<DriftReportInput> {
  const soFar = { ...BEGINNING, ...input };
  return eachConnection(soFar, {
    concurrency: 3,
    visit: (connection, from) => report(connection, from, soFar),
    describe: () =>
      `Compared ${soFar.compared} subscriptions: ${soFar.found} new differences, ${soFar.gone} gone, ${soFar.unread} not read`,
  });
}

/**
 * Compares a connection part by part. A part is a few dozen subscriptions, each of which costs one call.
 *
 * @param from the subscription after which to continue; null at the beginning
 * @returns the subscription after which the next run continues; null if all were compared, or if it failed
 */
async function report(
  connection: SettlementConnection,
  from: string | null,
  soFar: DriftReportInput,
): Promise<string | null> {
  const taskQueue = providersQueueOf(connection.environment);
  const { reportDrift } = proxyActivities<DriftReportActivities>({ ...WHOLE_CONNECTION, taskQueue });
  type Part = Awaited<ReturnType<typeof reportDrift>>;
  try {
    for (let after = from; ;) {
      const part: Part = await reportDrift({ ...connection, after });
      soFar.compared += part.compared;
      soFar.found += part.found;
      soFar.gone += part.gone;
      soFar.unread += part.unread;
      after = part.after;
      if (after === null || isLongRun()) return after;
    }
  } catch {
    soFar.failed += 1;
    return null;
  }
}
