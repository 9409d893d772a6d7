import type { KeyRing } from '../credentials/key-ring';
import type { DbTransaction } from '../db/pools';
import type { ConnectionAccess } from '../providers/connection-access';
import type { WorkspaceScope } from '../tenancy/actor';
import type { SealedConnectionRow } from './connection-store';
import { listFormerReferences } from './former-price-store';
import { requireConnection } from './require-connection';
import { openSecrets } from './sealed-secrets';
import { secretVersionOf } from './secret-version';
import { settingsWithPlans } from './settings-with-plans';
import type { PaymentProvider } from '../domain/provider';

/** The dependencies for opening connections. */
export interface ConnectionOpening {
  keyRing: KeyRing;
  /** Addresses to use instead of the providers' own, for simulators; empty in production mode. */
  providerUrls: Partial<Record<PaymentProvider, string>>;
}

/** A connection opened for use, with its provider. */
export interface OpenedConnection {
  provider: PaymentProvider;
  access: ConnectionAccess;
}

/**
 * Opens a connection for one use. The result holds secrets: it is never stored, logged or passed on, and is dropped
 * after the call it is for.
 *
 * @param trx an open transaction of the workspace
 * @throws TollgateError connection_not_found, connection_disabled, key_unavailable, credential_corrupt
 */
export async function openConnection(
  trx: DbTransaction,
  opening: ConnectionOpening,
  scope: WorkspaceScope,
  id: string,
): Promise<OpenedConnection> {
  const row = await requireConnection(trx, scope, id);
  const { provider } = row;
  const access = accessOf(opening, scope, row, await settingsWithPlans(trx, scope, row));
  // Only provider A bills several items as one subscription, and an older price tells which of them is ours.
  if (provider !== 'provider_a') return { provider, access };
  return { provider, access: { ...access, formerReferences: await listFormerReferences(trx, scope, id) } };
}

/**
 * Opens a connection without plans, for verifying a webhook.
 *
 * @throws TollgateError connection_not_found, connection_disabled, key_unavailable, credential_corrupt
 */
export async function openForVerification(
  trx: DbTransaction,
  opening: ConnectionOpening,
  scope: WorkspaceScope,
  id: string,
): Promise<ConnectionAccess> {
  const row = await requireConnection(trx, scope, id);
  return accessOf(opening, scope, row, row.settings);
}

function accessOf(
  { keyRing, providerUrls }: ConnectionOpening,
  scope: WorkspaceScope,
  row: SealedConnectionRow,
  settings: ConnectionAccess['settings'],
): ConnectionAccess {
  const baseUrl = providerUrls[row.provider];
  return {
    connectionId: row.id,
    apiMode: row.api_mode,
    secretVersion: secretVersionOf(row),
    secrets: openSecrets(keyRing, scope, row),
    settings,
    ...(baseUrl !== undefined && { baseUrl }),
  };
}
