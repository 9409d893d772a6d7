import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { ProviderCAdapter } from '../providers/provider-c/adapter';
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

/** An adapter, with what it offers besides where its provider's events have no ids. */
export type WebhookAdapter = ProviderAdapter &
  Partial<Pick<ProviderCAdapter, 'dedupeKeyNow' | 'fetchRefundsOf'>>;

export type WebhookAdapters = Readonly<Partial<Record<WebhookProvider, WebhookAdapter>>>;

/** Opens a connection's credentials for one use. @throws when they cannot be read */
export type OpenConnection = (scope: WorkspaceScope, connectionId: string) => Promise<ConnectionAccess>;
