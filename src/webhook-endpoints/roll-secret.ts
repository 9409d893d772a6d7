import { recordAudit } from '../audit/audit-store';
import { requireActiveKey } from '../credentials/active-key';
import { inWorkspace } from '../db/workspace-transaction';
import type { Actor } from '../tenancy/actor';
import { toEndpointResource, type CreatedWebhookEndpoint } from './endpoint-resource';
import type { EndpointDependencies } from './endpoint-dependencies';
import { endpointNotFound, lockSecrets, requireEndpoint, saveSecrets } from './endpoint-store';
import { newSecret, sealSecret } from './sealed-secret';

/** See `WebhookEndpoints.roll`. There are two secrets at most: one that was rolled before ends now. */
export async function rollSecret(
  { database, keyRing }: EndpointDependencies,
  actor: Actor,
  id: string,
  overlapMs: number,
): Promise<CreatedWebhookEndpoint> {
  const { scope, receivedAt: now } = actor;
  return inWorkspace(database, scope, actor.reason, async (trx) => {
    const before = await lockSecrets(trx, scope, id);
    if (before === undefined) throw endpointNotFound();
    const key = await requireActiveKey(trx, keyRing);
    const secret = newSecret();
    const revision = before.current.revision + 1;
    const keepsOld = overlapMs > 0;
    const secrets = {
      current: sealSecret(key, scope, id, { revision, secret }),
      previous: keepsOld ? before.current : null,
      previousUntil: keepsOld ? now + overlapMs : null,
    };
    const lastFour = secret.slice(-4);
    await saveSecrets(trx, scope, id, { secrets, lastFour, now });
    const detail = { lastFour, overlapMs };
    await recordAudit(trx, actor, { action: 'webhook_endpoint.secret_rolled', target: id, detail });
    return { ...toEndpointResource(await requireEndpoint(trx, scope, id), now), secret };
  });
}
