import { ENVIRONMENTS, type Environment } from '../domain/environment';
import { billingQueue, EARLIER_QUEUES, providersQueue, type TaskQueue } from '../../workflows/task-queues';

export { billingQueue, EARLIER_QUEUES, providersQueue, type TaskQueue };

type Kind = 'billing' | 'providers';

export const TASK_QUEUES: readonly TaskQueue[] = [
  ...ENVIRONMENTS.map(billingQueue),
  ...ENVIRONMENTS.map(providersQueue),
];

/**
 * A queue that a worker polls. Queues of earlier versions, shared by both environments, are served by production's
 * workers.
 */
export interface ServedQueue {
  name: string;
  kind: Kind;
  environment: Environment;
  isEarlier: boolean;
}

/** Returns every queue that a worker of these task queues polls, without duplicates. */
export function servedQueues(queues: readonly TaskQueue[]): ServedQueue[] {
  return [...new Set(queues)].flatMap((name): ServedQueue[] => {
    const [kind, environment] = name.split('-') as [Kind, Environment];
    const own = { name, kind, environment, isEarlier: false };
    if (environment === 'sandbox') return [own];
    return [own, { ...own, name: EARLIER_QUEUES[kind], isEarlier: true }];
  });
}
