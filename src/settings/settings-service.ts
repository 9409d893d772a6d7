import { recordAudit } from '../audit/audit-store';
import { changedMembers } from '../audit/changed-members';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { isWakeSetting } from '../domain/wake-inputs';
import { enqueueReschedule } from '../outbox/enqueue';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { toSettingsResource, type SettingsResource } from './settings-resource';
import { insertEarlierTax } from './earlier-tax-store';
import { readSettings, updateSettings, type Settings } from './settings-store';

/** A partial change. Omitted settings stay unchanged. */
type SettingsChange = { [Name in keyof Settings]?: Settings[Name] | undefined };

/** Billing settings of a workspace, separate for each environment. */
export interface WorkspaceSettings {
  get(scope: WorkspaceScope): Promise<SettingsResource>;
  /** @throws TollgateError validation_failed if a subscription would expire within its grace period */
  change(actor: Actor, change: SettingsChange): Promise<SettingsResource>;
}

export function createSettings(database: Database): WorkspaceSettings {
  return {
    get: (scope) =>
      inWorkspace(database, scope, 'OPERATOR', async (trx) =>
        toSettingsResource(await readSettings(trx, scope)),
      ),

    change: (actor, change) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { updatedAt, ...before } = await readSettings(trx, actor.scope, 'for update');
        const after: Settings = { ...before, ...omitUndefined(change) };
        if (after.expireAfterDays < after.graceDays) throw expiresWithinGrace(after);
        const changed = differences(before, after);
        if (Object.keys(changed).length === 0) return toSettingsResource({ ...before, updatedAt });
        await updateSettings(trx, actor.scope, after, actor.receivedAt);
        if ('taxBehavior' in changed || 'taxRates' in changed)
          await insertEarlierTax(trx, actor.scope, before, actor.now);
        if (Object.keys(changed).some(isWakeSetting)) await enqueueReschedule(trx, actor.scope);
        await recordAudit(trx, actor, { action: 'settings.changed', target: null, detail: changed });
        return toSettingsResource({ ...after, updatedAt: actor.receivedAt });
      }),
  };
}

/** Returns the changes for the audit record: the old and new value of each changed setting. */
function differences(before: Settings, after: Settings): Record<string, { from: unknown; to: unknown }> {
  const changed = Object.keys(changedMembers(before, after)) as (keyof Settings)[];
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

function expiresWithinGrace(settings: Settings): TollgateError {
  const message = `is less than graceDays (${settings.graceDays})`;
  return new TollgateError('validation_failed', `/expireAfterDays: ${message}`, {
    errors: [{ pointer: '/expireAfterDays', message, fix: 'Send at least as many days as graceDays.' }],
  });
}
