import { createHmac } from 'node:crypto';
import { newIdentifier } from '../../src/identifiers/identifier';
import { press, type ProviderWorld, type WorldSubscription } from './provider-world';

/** What the tests of provider C's rows do to the simulated provider beside its API. */
export class ProviderCRig {
  /** What stands for each e-mail token that the provider hands out; undefined hands out the real one. */
  token: string | undefined;

  constructor(readonly world: ProviderWorld) {
    const { response } = world.simulators.providers.c.app;
    const body = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(response) as object, 'body');
    const answered = (value: unknown): unknown => this.withToken(value);
    Object.defineProperty(response, 'body', {
      get(): unknown {
        return body?.get?.call(this);
      },
      set(value: unknown) {
        body?.set?.call(this, answered(value));
      },
    });
  }

  private withToken(body: unknown): unknown {
    const { data } = (body ?? {}) as { data?: { email_token?: string } };
    if (this.token === undefined || data?.email_token === undefined) return body;
    return { ...(body as object), data: { ...data, email_token: this.token } };
  }

  /** Stops the renewal on the provider's own page, or takes that back there. */
  async pressOnPage({ reference }: WorldSubscription): Promise<void> {
    const answer = await fetch(`${this.world.simulators.urls.c}/subscription/${reference}/manage/link`, {
      headers: { Authorization: `Bearer ${this.secretKey}` },
    });
    const { data } = (await answer.json()) as { data: { link: string } };
    await press(data.link, {});
  }

  /** Whether the customer's cards take charges from now on. */
  setCards({ email }: WorldSubscription, charges: 'succeed' | 'decline'): void {
    this.world.simulators.providers.c.controls(this.secretKey).setCards(email, charges);
  }

  /** Sends an event as the provider does, signed with the account's key. Answers how it was taken. */
  async tell(
    event: string,
    data: object,
    key = this.secretKey,
  ): Promise<{ status: number; eventId: unknown; duplicate: unknown }> {
    const body = JSON.stringify({
      event,
      data: { domain: 'test', nonce: newIdentifier('history'), ...data },
    });
    const url = `${this.world.service.urls.sandbox}/v1/webhooks/provider_c?connection=${this.world.connections.provider_c}`;
    const signature = createHmac('sha512', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature };
    const answer = await fetch(url, { method: 'POST', headers, body });
    const { eventId, duplicate } = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, eventId, duplicate };
  }

  /** How a stored webhook ended: `applied`, `ignored`, `unmatched` … */
  async endOf(eventId: unknown): Promise<unknown> {
    return (await this.world.operator.get(`/api/webhooks/${String(eventId)}`)).body['status'];
  }

  private get secretKey(): string {
    return this.world.secrets.provider_c['secretKey'] ?? '';
  }
}
