import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Logo } from './logo';
import { createFindPayLink } from './pay-link';
import { createPortalThrottle, type PortalThrottle } from './open-throttle';
import { createPortalCommands, type PortalCommands } from './portal-commands';
import { createPortalSessions, type PortalSessions } from './portal-session-service';
import { createPortalSettings, type PortalSettingsService } from './portal-settings-service';
import { readPortalSettings } from './portal-settings-store';
import { createReadPortalView, type PortalReaders, type ReadPortalView } from './portal-view';

/** The customer's page. */
export interface Portal {
  sessions: PortalSessions;
  settings: PortalSettingsService;
  throttle: PortalThrottle;
  readView: ReadPortalView;
  readLogo: (scope: WorkspaceScope) => Promise<Logo | null>;
  commands: PortalCommands;
}

export function createPortal(
  options: PortalReaders &
    Omit<Parameters<typeof createPortalCommands>[0], 'findPayLink'> &
    Parameters<typeof createFindPayLink>[0] & {
      database: Database;
      clock: Clock;
      urls: Record<Environment, string>;
    },
): Portal {
  const { database, clock } = options;
  return {
    sessions: createPortalSessions(options),
    settings: createPortalSettings(database),
    throttle: createPortalThrottle(clock),
    readView: createReadPortalView(options),
    readLogo: (scope) =>
      inWorkspace(database, scope, 'CUSTOMER', async (trx) => (await readPortalSettings(trx, scope)).logo),
    commands: createPortalCommands({ ...options, findPayLink: createFindPayLink(options) }),
  };
}
