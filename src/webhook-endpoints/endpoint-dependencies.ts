import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import type { AddressRules } from '../domain/webhook-address';
import type { ResolveHost } from './resolve-host';

/** Dependencies of the endpoint functions. */
export interface EndpointDependencies {
  database: Database;
  keyRing: KeyRing;
  cursorSecret: string;
  /** Which addresses webhooks may be sent to. */
  rules: AddressRules;
  resolveHost: ResolveHost;
}
