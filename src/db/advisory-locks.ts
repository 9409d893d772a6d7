/**
 * Numbers of the advisory locks: for an idempotency key, a customer's balances, a connection's failed webhooks, the
 * secrets of an organization's connections in both environments, a database's migration, a sandbox's clock, an
 * environment's webhook endpoints, the target of a provider's reference, a database's partitions, and a reset of the
 * demo. Locks exclude each other only by their number, so all numbers are built here. Arguments are SQL text
 * expressions.
 */
export function claimLock(workspaceId: string, environment: string, key: string): string {
  return lockNumber(workspaceId, environment, key, 1);
}

export function customerLock(workspaceId: string, environment: string, externalId: string): string {
  return lockNumber(workspaceId, environment, externalId, 2);
}

export function webhookFailureLock(workspaceId: string, environment: string, connectionId: string): string {
  return lockNumber(workspaceId, environment, connectionId, 3);
}

export function connectionSecretsLock(workspaceId: string): string {
  return lockNumber(workspaceId, "''", "''", 4);
}

/** An SQL expression, like the others. */
export const MIGRATION_LOCK = lockNumber("''", "''", "''", 5);

/** The lock for the daily partitions. */
export const PARTITIONS_LOCK = lockNumber("''", "''", "''", 9);

/** The lock for a reset of the demo. */
export const DEMO_RESET_LOCK = lockNumber("''", "''", "''", 10);

export function clockLock(workspaceId: string, environment: string): string {
  return lockNumber(workspaceId, environment, "''", 6);
}

export function webhookEndpointsLock(workspaceId: string, environment: string): string {
  return lockNumber(workspaceId, environment, "''", 7);
}

/** @param reference prefixed with its connection's id: `connection reference` */
export function providerReferenceLock(workspaceId: string, environment: string, reference: string): string {
  return lockNumber(workspaceId, environment, reference, 8);
}

function lockNumber(workspaceId: string, environment: string, name: string, seed: number): string {
  return `hashtextextended(${workspaceId} || '|' || ${environment} || '|' || ${name}, ${seed})`;
}
