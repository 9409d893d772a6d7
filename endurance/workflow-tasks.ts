import type { WorkflowHandle } from '@temporalio/client';
import { createTemporalClient } from '../src/temporal/client';

/** Failed workflow tasks, from the histories of all runs. */
export interface WorkflowTasks {
  /** Number of subscriptions' histories. */
  runs: number;
  /** Runs of the shape that has local activities. */
  withMarkers: number;
  /** Tasks that a worker could not replay. */
  notReplayed: number;
  /** Tasks that no worker answered in time, as far as the histories record them. */
  timedOut: number;
  /** Times from a task that could not be replayed until the run continued (milliseconds, the longest first). */
  delays: number[];
  /** Runs whose last task could not be replayed, and that no worker has taken up since. */
  stuck: string[];
}

/** Reads the histories of all subscriptions' runs. */
export async function workflowTasks(address: string): Promise<WorkflowTasks> {
  const client = createTemporalClient({ address, namespace: 'default' });
  const found: WorkflowTasks = {
    runs: 0,
    withMarkers: 0,
    notReplayed: 0,
    timedOut: 0,
    delays: [],
    stuck: [],
  };
  try {
    for await (const { workflowId, runId } of client.workflow.list({
      query: "WorkflowType = 'subscription'",
    })) {
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const { isStuck } = addRun(found, events ?? []);
      if (isStuck) found.stuck.push(`${workflowId} (${runId})`);
    }
  } finally {
    await client.connection.close();
  }
  found.delays.sort((one, other) => other - one);
  return found;
}

type HistoryEvents = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

/** Adds one run's tasks to what was found. */
function addRun(found: WorkflowTasks, events: HistoryEvents): { isStuck: boolean } {
  found.runs += 1;
  if (events.some((event) => event.markerRecordedEventAttributes?.markerName === 'core_local_activity'))
    found.withMarkers += 1;
  let failedAt: number | undefined;
  for (const event of events) {
    const at = Number(event.eventTime?.seconds ?? 0) * 1_000 + (event.eventTime?.nanos ?? 0) / 1_000_000;
    if (event.workflowTaskFailedEventAttributes) {
      found.notReplayed += 1;
      failedAt ??= at;
    }
    if (event.workflowTaskTimedOutEventAttributes) found.timedOut += 1;
    if (event.workflowTaskCompletedEventAttributes && failedAt !== undefined) {
      found.delays.push(at - failedAt);
      failedAt = undefined;
    }
  }
  return { isStuck: failedAt !== undefined };
}
