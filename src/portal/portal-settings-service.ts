import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { omitUndefined } from '../schemas/omit-undefined';
import { readSettings } from '../settings/settings-store';
import type { Actor } from '../tenancy/actor';
import {
  toPortalSettingsResource,
  type portalSettingsSchema,
  type PortalSettingsPatch,
} from './portal-settings-resource';
import { readPortalSettings, savePortalSettings, type PortalSettings } from './portal-settings-store';

type Resource = z.output<typeof portalSettingsSchema>;

/** Appearance and offers of the customer's page, separate for each environment. */
export interface PortalSettingsService {
  get(actor: Actor): Promise<Resource>;
  change(actor: Actor, change: PortalSettingsPatch): Promise<Resource>;
}

export function createPortalSettings(database: Database): PortalSettingsService {
  return {
    get: ({ scope, reason }) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toPortalSettingsResource(await readPortalSettings(trx, scope)),
      ),

    change: (actor, change) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        // Concurrent changes run one after the other. The page has no row to lock before its first change.
        await readSettings(trx, actor.scope, 'for update');
        const before = await readPortalSettings(trx, actor.scope);
        const after: PortalSettings = { ...before, ...omitUndefined(change) };
        if (isDeepStrictEqual(before, after)) return toPortalSettingsResource(before);
        await savePortalSettings(trx, actor.scope, after, actor.receivedAt);
        const detail = { from: described(before), to: described(after) };
        await recordAudit(trx, actor, { action: 'portal_settings.changed', target: null, detail });
        return toPortalSettingsResource(after);
      }),
  };
}

/** Describes the settings for the audit, which does not need the image. */
function described({ logo, ...rest }: PortalSettings): Record<string, unknown> {
  return { ...rest, logo: logo === null ? null : `${logo.type}, ${logo.bytes.length} bytes` };
}
