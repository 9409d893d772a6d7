import { namedCall } from '../core/named-call';
import { emitJson } from './json';
import { newId } from './identifiers';
import type { Account, Simulation, Webhook } from './state';

const RESOURCE_VERSIONS: Readonly<Record<string, string>> = {
  subscription: '2.0',
  capture: '2.0',
  refund: '2.0',
  'checkout-order': '2.0',
};

const delivery = namedCall(
  'b.delivery',
  ({ core, signer }: Simulation, account: Account, webhook: Webhook, body: Buffer) => {
    // The webhook may have a new address since the event was created.
    const { id, url } = account.webhooks.find((registered) => registered.id === webhook.id) ?? webhook;
    return { url, body, headers: signer.sign(id, body, core.clock.real()) };
  },
);

/** Creates an event of the account and sends it to every webhook subscribed to its type. Returns the event's id. */
export function publish(
  simulation: Simulation,
  account: Account,
  event: { type: string; resourceType: string; summary: string; resource: unknown },
): string {
  const id = `WH-${newId()}-${newId()}`;
  const version = RESOURCE_VERSIONS[event.resourceType];
  const href = `${eventHost(account)}/v1/notifications/webhooks-events/${id}`;
  const body = Buffer.from(
    emitJson({
      id,
      event_version: '1.0',
      create_time: new Date(simulation.core.clock.now()).toISOString(),
      resource_type: event.resourceType,
      ...(version === undefined ? {} : { resource_version: version }),
      event_type: event.type,
      summary: event.summary,
      resource: event.resource,
      links: [
        { href, rel: 'self', method: 'GET' },
        { href: `${href}/resend`, rel: 'resend', method: 'POST' },
      ],
    }),
  );
  for (const webhook of account.webhooks) {
    if (!webhook.eventTypes.includes('*') && !webhook.eventTypes.includes(event.type)) continue;
    simulation.core.outbox.send(delivery(simulation, account, webhook, body), {
      provider: 'b',
      event: event.type,
      id,
    });
  }
  return id;
}

/** Returns the host in the links of objects. The simulator does not listen there; the links are not to be followed. */
export function eventHost(account: Account): string {
  return account.environment === 'sandbox' ? 'https://api.sandbox.paypal.com' : 'https://api.paypal.com';
}
