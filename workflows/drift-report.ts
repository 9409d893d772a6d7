import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { POSTGRES, PROVIDER } from './activity-options';
import type { DriftReportActivities, SettlementActivities, SettlementConnection } from './activity-types';

/** Whoever can be asked for settlements can be asked for subscriptions. */
const { listSettlementConnections } = proxyActivities<SettlementActivities>(POSTGRES);

const { reportDrift } = proxyActivities<DriftReportActivities>({
  ...PROVIDER,
  // One part is a few dozen subscriptions, each a call.
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '40m',
  retry: { initialInterval: '30s', backoffCoefficient: 4, maximumInterval: '5m', maximumAttempts: 3 },
});

/** So many connections are asked at once. */
const ABREAST = 3;

/** How far a report has come. */
export interface DriftReportInput {
  /** The connection after which it goes on; empty at the beginning. */
  after: string;
  /** Subscriptions that were compared, what was found and is gone, and those that could not be read. */
  compared: number;
  found: number;
  gone: number;
  unread: number;
  /** Connections that came to nothing. */
  failed: number;
}

const BEGINNING: DriftReportInput = { after: '', compared: 0, found: 0, gone: 0, unread: 0, failed: 0 };

/**
 * Compares the open subscriptions of every connection with their provider's, run by a schedule: what is new is told by
 * a developer event. A connection that fails is compared the next day, and holds up no other.
 */
export async function driftReport(input: DriftReportInput = BEGINNING): Promise<DriftReportInput> {
  const soFar = { ...input };
  for (;;) {
    const page = await listSettlementConnections({ after: soFar.after });
    for (let start = 0; start < page.connections.length; start += ABREAST) {
      const group = page.connections.slice(start, start + ABREAST);
      await Promise.all(group.map((connection) => report(connection, soFar)));
    }
    setCurrentDetails(
      `Compared ${soFar.compared} subscriptions: ${soFar.found} new differences, ${soFar.gone} gone, ${soFar.unread} not read`,
    );
    if (page.after === null) return soFar;
    soFar.after = page.after;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof driftReport>(soFar);
  }
}

async function report(connection: SettlementConnection, soFar: DriftReportInput): Promise<void> {
  type Part = Awaited<ReturnType<typeof reportDrift>>;
  try {
    for (let after: string | null | undefined = null; after !== undefined;) {
      const part: Part = await reportDrift({ ...connection, after });
      soFar.compared += part.compared;
      soFar.found += part.found;
      soFar.gone += part.gone;
      soFar.unread += part.unread;
      after = part.after ?? undefined;
    }
  } catch {
    soFar.failed += 1;
  }
}
