import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

/** A history event in the JSON form of Temporal's own tools. */
interface Event {
  eventTime: string;
  /** `EVENT_TYPE_TIMER_STARTED` */
  eventType: string;
  workflowExecutionStartedEventAttributes?: { continuedExecutionRunId?: string };
  markerRecordedEventAttributes?: { markerName: string; workflowTaskCompletedEventId: string };
  upsertWorkflowSearchAttributesEventAttributes?: { searchAttributes: { indexedFields: object } };
}

/** What workflows have written into their histories: events by type, and Temporal Cloud's billable actions. */
export interface HistoryCost {
  events: number;
  actions: number;
  byType: ReadonlyMap<string, number>;
}

/** Each of these events is one billable action. */
const ACTIONS = new Set([
  'workflow_execution_started',
  'workflow_execution_signaled',
  'workflow_execution_update_accepted',
  'activity_task_started',
  'timer_started',
]);

/**
 * Reads the events of workflows, including all their runs, from an instant on. Patch markers cost nothing. The local
 * activities of one workflow task are one action.
 */
export async function readHistoryCost(
  client: Client,
  workflowIds: readonly string[],
  since: number,
): Promise<HistoryCost> {
  const byType = new Map<string, number>();
  let [events, actions] = [0, 0];
  for (const workflowId of workflowIds) {
    const recent = (await eventsOf(client, workflowId)).filter(
      ({ eventTime }) => Date.parse(eventTime) >= since,
    );
    events += recent.length;
    actions += actionsOf(recent);
    for (const event of recent) byType.set(typeOf(event), (byType.get(typeOf(event)) ?? 0) + 1);
  }
  return { events, actions, byType };
}

/** Reads the events of the latest run and of those it continues. */
async function eventsOf(client: Client, workflowId: string): Promise<Event[]> {
  const found: Event[] = [];
  for (let runId: string | undefined; runId !== '';) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const { events } = JSON.parse(historyToJSON(history)) as { events: Event[] };
    found.unshift(...events);
    runId = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  }
  return found;
}

/** `timer_started` */
function typeOf({ eventType }: Event): string {
  return eventType.replace('EVENT_TYPE_', '').toLowerCase();
}

function actionsOf(events: readonly Event[]): number {
  const localTasks = new Set<string>();
  let actions = 0;
  for (const event of events) {
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === 'core_local_activity') localTasks.add(marker.workflowTaskCompletedEventId);
    if (ACTIONS.has(typeOf(event)) || upsertsOurs(event)) actions += 1;
  }
  return actions + localTasks.size;
}

function upsertsOurs({ upsertWorkflowSearchAttributesEventAttributes: upsert }: Event): boolean {
  const names = Object.keys(upsert?.searchAttributes.indexedFields ?? {});
  return names.some((name) => name !== 'TemporalChangeVersion');
}

/** `histories each: 13.0 events, 3.0 actions (activity_task_scheduled 1.0, …)` */
export function formatHistoryCost(
  kind: string,
  { events, actions, byType }: HistoryCost,
  operations: number,
): string {
  const each = (count: number): string => (count / operations).toFixed(2);
  const types = [...byType].sort(([, one], [, other]) => other - one);
  const detail = types.map(([name, count]) => `${name} ${each(count)}`).join(', ');
  return `${kind}: histories each: ${each(events)} events, ${each(actions)} actions (${detail})`;
}
