import { ApplicationFailure, log } from '@temporalio/activity';
import type { ConnectionPlace } from '../src/connections/credential-migration-store';
import type { SettlementCollection } from '../src/payments/settlement-collection';
import type {
  ProviderSettlementActivities,
  SettlementActivities,
  SettlementConnection,
} from '../workflows/activity-types';
import { withSafeFailures } from './failures';

export interface SettlementActivityDependencies {
  /** Lists connections of all workspaces, by id. */
  listConnections(after: string, limit: number): Promise<ConnectionPlace[]>;
  settlementCollection: SettlementCollection;
}

/** Connections per page. */
const PAGE = 100;

export function createSettlementActivities({
  listConnections,
}: Pick<SettlementActivityDependencies, 'listConnections'>): SettlementActivities {
  return {
    listSettlementConnections: ({ after, environment }) =>
      withSafeFailures(async () => {
        const places = await listConnections(after, PAGE);
        const connections = places.flatMap(({ id, keyId, ...scope }): SettlementConnection[] => {
          const isElsewhere = environment !== undefined && scope.environment !== environment;
          // Without credentials the provider cannot be asked.
          return keyId === null || isElsewhere ? [] : [{ ...scope, connectionId: id }];
        });
        return { connections, after: places.length < PAGE ? null : (places.at(-1)?.id ?? null) };
      }),
  };
}

export function createProviderSettlementActivities({
  settlementCollection,
}: Pick<SettlementActivityDependencies, 'settlementCollection'>): ProviderSettlementActivities {
  return {
    collectSettlements: ({ workspaceId, environment, connectionId }) =>
      withSafeFailures(() => collect(settlementCollection, { workspaceId, environment, connectionId })),
  };
}

async function collect(
  collection: SettlementCollection,
  { connectionId, ...scope }: SettlementConnection,
): Promise<{ recorded: number; changed: number }> {
  const { status, recorded, changed, reason } = await collection.collect(scope, connectionId, null);
  if (status !== 'failed') {
    if (status === 'collected' && reason !== null)
      log.warn('payments or disputes could not be read', { ...scope, connectionId, reason });
    return { recorded, changed };
  }
  log.warn('settlements could not be collected', { ...scope, connectionId, reason });
  // The provider's words must not enter a history.
  throw ApplicationFailure.retryable('The settlements could not be collected.', 'settlements_not_collected');
}
