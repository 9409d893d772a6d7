import { createHmac } from 'node:crypto';
import { newIdentifier } from '../../src/identifiers/identifier';
import { MINUTE_MS } from '../../src/domain/instant';
import type { WebhookRecord } from '../../simulators/core/types';
import { deliverWebhooks } from './deliver-webhooks';
import { press, type ProviderWorld, type WorldSubscription } from './provider-world';

/** Controls the simulated provider C outside its API, for the tests of provider C's rows. */
export class ProviderCRig {
  /** Replaces each e-mail token that the provider returns; if undefined, the real one is returned. */
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

  /** Stops or resumes the renewal on the provider's own page, and waits for its webhooks. */
  async pressOnPage({ reference }: WorldSubscription): Promise<void> {
    const answer = await fetch(`${this.world.simulators.urls.c}/subscription/${reference}/manage/link`, {
      headers: { Authorization: `Bearer ${this.secretKey}` },
    });
    const { data } = (await answer.json()) as { data: { link: string } };
    await press(data.link, {});
    await this.world.settle();
  }

  /** Sets whether charges of the customer's cards succeed from now on. */
  setCards({ email }: WorldSubscription, charges: 'succeed' | 'decline'): void {
    this.world.simulators.providers.c.controls(this.secretKey).setCards(email, charges);
  }

  /** Sets whether the provider resumes renewals that were stopped. */
  setResumes(resumes: boolean): void {
    this.world.simulators.providers.c.controls(this.secretKey).setResumes(resumes);
  }

  /** Sends an event as the provider does, signed with the account's key. Returns the response. */
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

  /** Returns the outcome of a stored webhook: `applied`, `ignored`, `unmatched` … */
  async endOf(eventId: unknown): Promise<unknown> {
    return (await this.world.operator.get(`/api/webhooks/${String(eventId)}`)).body['status'];
  }

  /** Returns the instant at which the current period ends. */
  async periodEnd({ id }: Pick<WorldSubscription, 'id'>): Promise<number> {
    return Date.parse((await this.world.show(id)).currentPeriodEnd);
  }

  /** Passes the end of the period, here and at the provider. */
  async turnPeriod(subscription: Pick<WorldSubscription, 'id'>): Promise<void> {
    await this.world.advanceTo((await this.periodEnd(subscription)) + MINUTE_MS);
  }

  /** Moves only the provider's clock past an instant, so that the service does not read the provider first. */
  async turnAtProvider(end: number): Promise<void> {
    const { clock, outbox } = this.world.simulators.core;
    await clock.advanceTo(end + MINUTE_MS);
    await deliverWebhooks(outbox);
  }

  /** Moves the service's clock up to the provider's. */
  async catchUp(): Promise<void> {
    await this.world.advanceTo(this.world.simulators.core.clock.now() + MINUTE_MS);
  }

  /** Makes the provider send each webhook of an action twice. */
  async sendingTwice(act: () => Promise<unknown>): Promise<void> {
    const { switches } = this.world.simulators.core.outbox;
    switches.duplicate = true;
    await act();
    switches.duplicate = false;
  }

  /** Returns the first webhook of an event that the provider created for a subscription. */
  sentAbout({ reference }: Pick<WorldSubscription, 'reference'>, name: string): WebhookRecord | undefined {
    const { deliveries } = this.world.simulators.core.outbox;
    return deliveries.find(({ event, body }) => event === name && body.includes(reference));
  }

  /** Resends that webhook. Returns whether there is one. */
  resend(subscription: Pick<WorldSubscription, 'reference'>, name: string): boolean {
    return this.world.simulators.core.outbox.resend(this.sentAbout(subscription, name)?.id ?? '');
  }

  async paymentsOf({ externalId }: WorldSubscription): Promise<{ status: string; amount: string }[]> {
    return this.world.service.database.query<{ status: string; amount: string }>(
      `SELECT p.status, p.amount FROM tollgate.payments p JOIN tollgate.customers c ON c.id = p.customer_id
        WHERE c.external_id = $1`,
      [externalId],
    );
  }

  /** Returns the amounts of the succeeded payments, in minor units as text. */
  async amountsPaid(subscription: WorldSubscription): Promise<string[]> {
    const payments = await this.paymentsOf(subscription);
    return payments.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
  }

  private get secretKey(): string {
    return this.world.secrets.provider_c['secretKey'] ?? '';
  }
}
