import type { Instant } from '../domain/instant';
import type { KeyScope } from '../domain/key-scopes';
import type { SessionFactor } from '../domain/second-factor';
import type { Role } from '../operators/roles';
import type { PortalVisitor } from '../portal/portal-session-service';
import type { Actor, WorkspaceScope } from '../tenancy/actor';

/** A caller authenticated by an API key. */
export interface ApiKeyPrincipal {
  kind: 'api_key';
  apiKeyId: string;
  /** The key's scopes; null for a key created before keys had scopes. */
  scopes: readonly KeyScope[] | null;
  scope: WorkspaceScope;
  /** Builds the actor for a feature call; a method, because the workspace's clock may have to be read. */
  actor: () => Promise<Actor>;
}

/** A customer on their own page, on the host of the page's environment. */
export interface PortalPrincipal {
  kind: 'portal';
  visitor: PortalVisitor;
  scope: WorkspaceScope;
  actor: () => Promise<Actor>;
}

/** A logged-in operator, before an organization is chosen. */
export interface PlatformPrincipal {
  kind: 'session';
  operatorId: string;
  email: string;
  name: string;
  sessionId: string;
  isPlatformAdministrator: boolean;
  secondFactor: SessionFactor;
  /** Real time of the call. */
  receivedAt: Instant;
}

/** A logged-in operator within one organization and environment. */
export interface OperatorPrincipal {
  kind: 'operator';
  operatorId: string;
  sessionId: string;
  role: Role;
  scope: WorkspaceScope;
  actor: () => Promise<Actor>;
}
