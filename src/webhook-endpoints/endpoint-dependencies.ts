import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import type { AddressRules } from '../domain/webhook-address';
import type { ResolveHost } from './resolve-host';

/** What the functions on endpoints work with. */
export interface EndpointDependencies {
  database: Database;
  keyRing: KeyRing;
  cursorSecret: string;
  /** Where webhooks may go. */
  rules: AddressRules;
  resolveHost: ResolveHost;
}
