import { randomUUID } from 'node:crypto';
import { isWebhookType, webhookTypeOf, type WebhookType } from '../../src/domain/webhook-types';
import { payloadSchemaOf } from '../../src/webhook-messages/message-schema';
import { Integrator } from '../support/integrator';
import type { TestService } from '../support/service';
import { createKey } from '../support/workspace';
import type { WorkspaceScope } from '../../src/tenancy/actor';

export interface Payload {
  type: WebhookType;
  timestamp: string;
  id: string;
  sequence: number;
  resource: { type: string; id: string };
  data: Record<string, unknown> | null;
}

const PATHS: Record<string, string> = {
  subscription: 'subscriptions',
  checkout: 'checkouts',
  payment: 'payments',
  refund: 'refunds',
  operation: 'operations',
};

/** The messages to a workspace's integrators, read with one of their keys. */
export class MessageLog {
  private constructor(
    readonly api: Integrator,
    private readonly seen = new Map<string, Payload>(),
  ) {}

  static async by(service: TestService, scope: WorkspaceScope): Promise<MessageLog> {
    const scopes = ['read', 'usage', 'customers', 'subscriptions', 'billing', 'events'] as const;
    return new MessageLog(
      new Integrator(service.urls.sandbox, await createKey(service.database, scope, scopes)),
    );
  }

  /** Returns all messages, the oldest first. */
  async all(): Promise<Payload[]> {
    const payloads: Payload[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ take: '200', ...(cursor !== undefined && { cursor }) });
      const { status, body } = await this.api.send('GET', `/v1/webhook-messages?${query.toString()}`);
      expect(status).toBe(200);
      payloads.push(...(body['data'] as { payload: Payload }[]).map(({ payload }) => payload));
      cursor = body['nextCursor'] as string | undefined;
    } while (cursor !== undefined);
    return payloads.reverse();
  }

  /** Returns the messages since the last call. Checks each against its schema, and against what its `GET` returns. */
  async news(): Promise<Payload[]> {
    const fresh = (await this.all()).filter(({ id }) => !this.seen.has(id));
    for (const payload of fresh) {
      this.seen.set(payload.id, payload);
      expect(isWebhookType(payload.type)).toBe(true);
      payloadSchemaOf(payload.type).parse(payload);
      expect(payload.resource.type).toBe(webhookTypeOf(payload.type).resource);
      expect([payload.type, payload.data]).toEqual([payload.type, await this.read(payload)]);
    }
    return fresh;
  }

  /** Returns the types of these messages, about one resource or about all. */
  async typesOf(resourceId?: string): Promise<WebhookType[]> {
    const about = (await this.news()).filter(
      ({ resource }) => resourceId === undefined || resource.id === resourceId,
    );
    return about.map(({ type }) => type);
  }

  /** All messages seen so far. */
  get examples(): Payload[] {
    return [...this.seen.values()];
  }

  /** Checks that each resource's sequence numbers count up from 1 without gaps, in the order of the messages. */
  async expectGapless(): Promise<void> {
    const numbers = new Map<string, number[]>();
    for (const { resource, sequence } of await this.all()) {
      numbers.set(resource.id, [...(numbers.get(resource.id) ?? []), sequence]);
    }
    for (const [id, sequences] of numbers) {
      expect([id, sequences.sort((one, other) => one - other)]).toEqual([
        id,
        sequences.map((_, index) => index + 1),
      ]);
    }
  }

  /** Returns the resource as the API answers it; for an alert or drift, the event from the list of events. */
  private async read({ type, resource, data }: Payload): Promise<unknown> {
    if (webhookTypeOf(type).data === 'event') {
      const key = resource.type === 'customer' ? 'customerId' : 'subscriptionId';
      const { body } = await this.api.send('GET', `/v1/events?${key}=${resource.id}&take=200`);
      return (body['data'] as { id: string }[]).find(({ id }) => id === data?.['id']);
    }
    return (await this.api.send('GET', `/v1/${PATHS[resource.type] ?? ''}/${resource.id}`)).body;
  }
}

export function idempotent(): Record<string, string> {
  return { 'Idempotency-Key': randomUUID() };
}
