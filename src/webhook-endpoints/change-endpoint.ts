import { recordAudit } from '../audit/audit-store';
import { changedMembers, isNothing } from '../audit/changed-members';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import { checkAddress } from './check-address';
import {
  toEndpointResource,
  type ChangeEndpointInput,
  type EndpointRow,
  type WebhookEndpointResource,
} from './endpoint-resource';
import type { EndpointDependencies } from './endpoint-dependencies';
import { requireEndpoint, updateEndpoint } from './endpoint-store';

/**
 * Changes an endpoint's members, if they differ from what is stored. If it is disabled, the deliverer cancels its
 * pending deliveries.
 *
 * @param reauthenticate throws once the caller may no longer do this
 * @throws TollgateError webhook_endpoint_not_found, webhook_address_refused; those of `reauthenticate`
 */
export async function changeEndpoint(
  dependencies: EndpointDependencies,
  actor: Actor,
  id: string,
  input: ChangeEndpointInput,
  reauthenticate: () => Promise<void>,
): Promise<WebhookEndpointResource> {
  const { scope, receivedAt: now } = actor;
  const url =
    input.url === undefined ? undefined : await checkAddress(input.url, scope.environment, dependencies);
  if (url !== undefined) await reauthenticate();
  return inWorkspace(dependencies.database, scope, actor.reason, async (trx) => {
    const before = await requireEndpoint(trx, scope, id, 'lock');
    const { description, types: eventTypes } = input;
    const disabled = switched(before, input.enabled, now);
    const stored = { description: before.description, types: before.eventTypes };
    const detail = {
      // The same address, sent again, confirms it.
      ...(url !== undefined && { url }),
      ...changedMembers(stored, omitUndefined({ description, types: eventTypes })),
    };
    if (isNothing(detail) && disabled === undefined) return toEndpointResource(before, now);
    await updateEndpoint(trx, scope, id, { url, description, eventTypes, disabled, now });
    if (!isNothing(detail))
      await recordAudit(trx, actor, { action: 'webhook_endpoint.updated', target: id, detail });
    if (disabled !== undefined) {
      const action = disabled === null ? 'webhook_endpoint.enabled' : 'webhook_endpoint.disabled';
      await recordAudit(trx, actor, { action, target: id, detail: { url: url ?? before.url } });
    }
    return toEndpointResource(await requireEndpoint(trx, scope, id), now);
  });
}

/** Returns the effect of `enabled` on the endpoint; undefined if it is unchanged or not given. */
function switched(
  { disabledAt }: EndpointRow,
  enabled: boolean | undefined,
  at: Instant,
): { at: Instant; reason: 'operator' } | null | undefined {
  if (enabled === undefined || enabled === (disabledAt === null)) return undefined;
  return enabled ? null : { at, reason: 'operator' };
}
