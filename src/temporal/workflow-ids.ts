import type { Environment } from '../domain/environment';

/** The id of a subscription's workflow: there is never more than one under it. */
export function subscriptionWorkflowId(environment: Environment, subscriptionId: string): string {
  return `subscription/${environment}/${subscriptionId}`;
}

export function checkoutWorkflowId(environment: Environment, checkoutId: string): string {
  return `checkout/${environment}/${checkoutId}`;
}

export function refundWorkflowId(environment: Environment, refundId: string): string {
  return `refund/${environment}/${refundId}`;
}

/** The id of the workflow that computes a workspace's wakes anew. */
export function rescheduleWorkflowId(environment: Environment, workspaceId: string): string {
  return `reschedule/${environment}/${workspaceId}`;
}

export function credentialMigrationWorkflowId(migrationId: string): string {
  return `credential-migration/${migrationId}`;
}

/** The schedule of an environment, and (with a time behind it) the workflows that it starts. */
export function scheduleId(of: string, environment: Environment): string {
  return `${of}-${environment}`;
}

/** The daily question for settlements. */
export const SETTLEMENT_POLL_ID = 'settlements';

/** The daily report of drift. */
export const DRIFT_REPORT_ID = 'drift';

/** The hourly safety net. */
export const NEXT_WAKE_SWEEP_ID = 'next-wake-sweep';
