import type { PaymentProvider } from '../domain/provider';
import type { WorkspaceScope } from '../tenancy/actor';

/** The connection of a webhook, and so the only workspace that it may touch. */
export interface ConnectionRef {
  scope: WorkspaceScope;
  id: string;
  provider: PaymentProvider;
}
