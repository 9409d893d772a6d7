/**
 * The advisory locks that stand for an idempotency key, for a customer's balances, for the failed webhooks of a
 * connection, for the secrets of an organization's connections in both environments, for a database's migration, for a
 * sandbox's clock, for an environment's webhook endpoints, for what a provider's identifier refers to, and for a database's
 * partitions. A lock excludes only what takes the same number, so all numbers are made here. Arguments are SQL expressions
 * of text.
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

/** As an SQL expression, too. */
export const MIGRATION_LOCK = lockNumber("''", "''", "''", 5);

/** The same, for the daily partitions. */
export const PARTITIONS_LOCK = lockNumber("''", "''", "''", 9);

export function clockLock(workspaceId: string, environment: string): string {
  return lockNumber(workspaceId, environment, "''", 6);
}

export function webhookEndpointsLock(workspaceId: string, environment: string): string {
  return lockNumber(workspaceId, environment, "''", 7);
}

/** @param reference with the id of its connection, as `connection reference` */
export function providerReferenceLock(workspaceId: string, environment: string, reference: string): string {
  return lockNumber(workspaceId, environment, reference, 8);
}

function lockNumber(workspaceId: string, environment: string, name: string, seed: number): string {
  return `hashtextextended(${workspaceId} || '|' || ${environment} || '|' || ${name}, ${seed})`;
}
