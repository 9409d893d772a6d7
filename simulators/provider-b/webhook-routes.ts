import type Router from '@koa/router';
import { z } from 'zod';
import { accountOf } from './authentication';
import { rawMember } from './json';
import { answer, notFound } from './problem';
import { readRequest } from './requests';
import type { Simulation, Webhook } from './state';

const verifyRequest = z.strictObject({
  auth_algo: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9]+$/),
  cert_url: z.url().max(500),
  transmission_id: z
    .string()
    .max(50)
    .regex(/^(?!\d+$)\w+\S+$/),
  // The reference requires a word character first. One signature in 32 has none, and base64 is what B itself sends.
  transmission_sig: z
    .string()
    .max(500)
    .regex(/^(?!\d+$)\S+$/),
  transmission_time: z.iso.datetime({ offset: true }).max(100),
  webhook_id: z
    .string()
    .max(50)
    .regex(/^[a-zA-Z0-9]+$/),
  webhook_event: z.looseObject({}),
});

/** `/v1/notifications`: the registered webhooks, and the verification of an event. */
export function webhookRoutes(simulation: Simulation, router: Router): void {
  router.get('/v1/notifications/webhooks', (ctx) => {
    answer(ctx, 200, { webhooks: accountOf(simulation, ctx).webhooks.map(webhookObject) });
  });
  router.get('/v1/notifications/webhooks/:id', (ctx) => {
    const webhook = accountOf(simulation, ctx).webhooks.find(({ id }) => id === ctx.params['id']);
    if (webhook === undefined) throw notFound();
    answer(ctx, 200, webhookObject(webhook));
  });
  /** A wrong signature is also answered with 200. The event is verified by its bytes in the request. */
  router.post('/v1/notifications/verify-webhook-signature', async (ctx) => {
    const account = accountOf(simulation, ctx);
    const { body, raw } = await readRequest(ctx, verifyRequest);
    const event = rawMember(raw, 'webhook_event');
    const known = account.webhooks.some(({ id }) => id === body.webhook_id);
    const sent = event !== null && known && simulation.signer.wasSent(body, body.webhook_id, event);
    answer(ctx, 200, { verification_status: sent ? 'SUCCESS' : 'FAILURE' });
  });
}

function webhookObject({ id, url, eventTypes }: Webhook): unknown {
  return { id, url, event_types: eventTypes.map((name) => ({ name, status: 'ENABLED' })) };
}
