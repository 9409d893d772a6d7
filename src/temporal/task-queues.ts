/** Workflows, and activities that need nothing but Postgres. */
export const BILLING_QUEUE = 'billing';
/** Activities that wait for payment providers, so that a slow provider delays nothing else. */
export const PROVIDERS_QUEUE = 'providers';

export const TASK_QUEUES = [BILLING_QUEUE, PROVIDERS_QUEUE] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];
