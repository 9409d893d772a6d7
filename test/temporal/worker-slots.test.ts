import { servedQueues, TASK_QUEUES } from '../../src/temporal/task-queues';
import { workerSlots } from '../../src/temporal/worker-slots';

const limited = servedQueues(TASK_QUEUES)
  .map((queue) => ({ name: queue.name, ...workerSlots(queue) }))
  .filter(({ maxConcurrentWorkflowTaskPolls }) => maxConcurrentWorkflowTaskPolls !== undefined);

// The SDK's poller of a worker's own queue holds a slot for each of its polls, and one for its next poll.
test.each(limited)(
  'in $name a slot is left to poll the shared queue',
  ({ maxConcurrentWorkflowTaskPolls: polls = 0, maxConcurrentWorkflowTaskExecutions: slots = 0 }) => {
    const ofShared = 1;
    const ofOwn = polls - ofShared;
    expect(ofOwn).toBeGreaterThan(0);
    expect(slots).toBeGreaterThanOrEqual(ofOwn + 1 + ofShared);
  },
);
