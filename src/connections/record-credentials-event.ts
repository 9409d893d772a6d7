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
    secretVersion: number;
    source: 'console' | 'migration';
  },
  now: Instant,
): Promise<void> {
  const { connection, changed, secretVersion, source } = change;
  const what = changed.length === 0 ? 'were re-encrypted' : `changed: ${changed.join(', ')}`;
  await recordDeveloperEvent(
    trx,
    scope,
    {
      type: 'CREDENTIALS_CHANGED',
      status: 'OK',
      message: `The credentials of ${connection.displayName} (${connection.provider}) ${what}`,
      source,
      data: { connectionId: connection.id, provider: connection.provider, changed, secretVersion },
    },
    now,
  );
}
