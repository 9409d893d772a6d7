import type { Environment } from '../domain/environment';

/** Returns the id of a subscription's workflow. Temporal runs at most one workflow under an id. */
export function subscriptionWorkflowId(environment: Environment, subscriptionId: string): string {
  return `subscription/${environment}/${subscriptionId}`;
}

export function checkoutWorkflowId(environment: Environment, checkoutId: string): string {
  return `checkout/${environment}/${checkoutId}`;
}

export function refundWorkflowId(environment: Environment, refundId: string): string {
  return `refund/${environment}/${refundId}`;
}

export function erasureWorkflowId(environment: Environment, erasureId: string): string {
  return `erasure/${environment}/${erasureId}`;
}

/** Returns the id of the workflow that recomputes a workspace's wakes. */
export function rescheduleWorkflowId(environment: Environment, workspaceId: string): string {
  return `reschedule/${environment}/${workspaceId}`;
}

export function credentialMigrationWorkflowId(migrationId: string): string {
  return `credential-migration/${migrationId}`;
}

/** Returns the id of an environment's schedule. Temporal appends a time for the workflows that it starts. */
export function scheduleId(of: string, environment: Environment): string {
  return `${of}-${environment}`;
}

/** The daily import of settlements. */
export const SETTLEMENT_POLL_ID = 'settlements';

/** The daily drift report. */
export const DRIFT_REPORT_ID = 'drift';

/** The hourly sweep for overdue wakes. */
export const NEXT_WAKE_SWEEP_ID = 'next-wake-sweep';
