import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { PaymentProvider } from '../domain/provider';

/** Records a developer event for changed or re-encrypted secrets: the fields, never their values. */
export async function recordCredentialsEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  change: {
    connection: { id: string; provider: PaymentProvider; displayName: string };
    changed: readonly string[];
    /** Secrets of the other environment that were removed from the public settings, and must be entered again. */
    removed?: readonly string[];
    secretVersion: number;
    source: 'console' | 'migration';
  },
  now: Instant,
): Promise<void> {
  const { connection, changed, removed = [], secretVersion, source } = change;
  await recordDeveloperEvent(
    trx,
    scope,
    {
      type: 'CREDENTIALS_CHANGED',
      status: 'OK',
      message: `The credentials of ${connection.displayName} (${connection.provider}) ${whatHappened(changed, removed)}`,
      source,
      data: {
        connectionId: connection.id,
        provider: connection.provider,
        changed,
        secretVersion,
        ...(removed.length > 0 && { removed }),
      },
    },
    now,
  );
}

function whatHappened(changed: readonly string[], removed: readonly string[]): string {
  const kept = changed.length === 0 ? [] : [`changed: ${changed.join(', ')}`];
  if (removed.length > 0)
    kept.push(`were removed because they belong to the other environment: ${removed.join(', ')}`);
  return kept.length === 0 ? 'were re-encrypted' : kept.join('; ');
}
