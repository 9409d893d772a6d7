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

/** The daily question for settlements: its schedule, and (with a time behind it) its workflows. */
export const SETTLEMENT_POLL_ID = 'settlements';

/** The daily report of drift: its schedule, and (with a time behind it) its workflows. */
export const DRIFT_REPORT_ID = 'drift';

/** The hourly safety net: its schedule, and (with a time behind it) its workflows. */
export const NEXT_WAKE_SWEEP_ID = 'next-wake-sweep';
