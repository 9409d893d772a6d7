/**
 * The advisory locks, as SQL expressions of their numbers. Locks exclude each other only by their number, so all of
 * them are built here. A kind keeps its seed, because two versions run side by side during an upgrade. Arguments are
 * SQL expressions of text.
 */
const SEEDS = {
  idempotencyKey: 1,
  customer: 2,
  webhookFailures: 3,
  connectionSecrets: 4,
  migration: 5,
  sandboxClock: 6,
  webhookEndpoints: 7,
  providerReference: 8,
  partitions: 9,
  demo: 10,
} as const;

/** An SQL expression of the empty text. */
const NONE = "''";

export function claimLock(workspaceId: string, environment: string, key: string): string {
  return lockNumber('idempotencyKey', workspaceId, environment, key);
}

/** Locks a customer's balances. */
export function customerLock(workspaceId: string, environment: string, externalId: string): string {
  return lockNumber('customer', workspaceId, environment, externalId);
}

export function webhookFailureLock(workspaceId: string, environment: string, connectionId: string): string {
  return lockNumber('webhookFailures', workspaceId, environment, connectionId);
}

/** Locks the secrets of an organization's connections, in both environments. */
export function connectionSecretsLock(workspaceId: string): string {
  return lockNumber('connectionSecrets', workspaceId);
}

export function clockLock(workspaceId: string, environment: string): string {
  return lockNumber('sandboxClock', workspaceId, environment);
}

export function webhookEndpointsLock(workspaceId: string, environment: string): string {
  return lockNumber('webhookEndpoints', workspaceId, environment);
}

/** @param reference prefixed with its connection's id: `connection reference` */
export function providerReferenceLock(workspaceId: string, environment: string, reference: string): string {
  return lockNumber('providerReference', workspaceId, environment, reference);
}

/** Locks the database's migration. */
export const MIGRATION_LOCK = lockNumber('migration');

/** Locks the daily partitions. */
export const PARTITIONS_LOCK = lockNumber('partitions');

/** Locks the demo's sandbox while it is created or reset. */
export const DEMO_LOCK = lockNumber('demo');

function lockNumber(kind: keyof typeof SEEDS, workspaceId = NONE, environment = NONE, name = NONE): string {
  return `hashtextextended(${workspaceId} || '|' || ${environment} || '|' || ${name}, ${SEEDS[kind]})`;
}
