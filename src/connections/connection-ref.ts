import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { WorkspaceScope } from '../tenancy/scope';

/** Who sends webhooks. */
export type WebhookProvider = ProviderAdapter['provider'];

export const WEBHOOK_PROVIDERS = [
  'provider_a',
  'provider_b',
  'provider_c',
] as const satisfies readonly WebhookProvider[];

/** Which connection a webhook belongs to, and so the only workspace that it may touch. */
export interface ConnectionRef {
  scope: WorkspaceScope;
  id: string;
  provider: WebhookProvider;
}

export type WebhookAdapters = Readonly<Partial<Record<WebhookProvider, ProviderAdapter>>>;

/** Opens a connection's credentials for one use. @throws when they cannot be read */
export type OpenConnection = (scope: WorkspaceScope, connectionId: string) => Promise<ConnectionAccess>;
