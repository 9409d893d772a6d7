import { recordAudit } from '../audit/audit-store';
import { requireActiveKey } from '../credentials/active-key';
import { inWorkspace } from '../db/workspace-transaction';
import type { Actor } from '../tenancy/actor';
import { toEndpointResource, type CreatedWebhookEndpoint } from './endpoint-resource';
import type { EndpointDependencies } from './endpoint-dependencies';
import { lockSecrets, saveSecrets } from './endpoint-secret-store';
import { endpointNotFound, requireEndpoint } from './endpoint-store';
import { newSecret, sealSecret, thatSign } from './sealed-secret';

/** Maximum number of earlier secrets that sign alongside the new one. Each makes a message's headers longer. */
const MAX_EARLIER = 4;

/**
 * See `WebhookEndpoints.roll`. Each earlier secret signs until its own overlap ends, because a caller that lost the
 * answer of a roll and rolls again still has receivers with the secret before. Without an overlap they all end now.
 */
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
    const current = sealSecret(key, scope, id, { revision, secret });
    const rolled = { ...before.current, until: now + overlapMs };
    const earlier = overlapMs === 0 ? [] : [rolled, ...thatSign(before.earlier, now)].slice(0, MAX_EARLIER);
    const lastFour = secret.slice(-4);
    await saveSecrets(trx, scope, id, { secrets: { current, earlier }, lastFour, now });
    const detail = { lastFour, overlapMs };
    await recordAudit(trx, actor, { action: 'webhook_endpoint.secret_rolled', target: id, detail });
    return { ...toEndpointResource(await requireEndpoint(trx, scope, id), now), secret };
  });
}
