import { randomUUID } from 'node:crypto';
import type {
  CanonicalEvent,
  PaymentFacts,
  RefundFacts,
  SubscriptionFacts,
} from '../../src/providers/canonical-event';
import { connect, fakeSecret } from '../connections/connection-calls';
import { CatalogueSeeder } from '../support/catalogue';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { bytesOf, FakeProvider, signatureOf } from './fake-provider';

const PERIOD_START = Date.UTC(2026, 0, 31);
export const PERIOD_END = Date.UTC(2026, 1, 28);
export const NEXT_END = Date.UTC(2026, 2, 31);

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

interface Sending {
  /** `null` omits the connection from the address. */
  connection?: string | null;
  secret?: string;
  /** Replaces the event's own bytes. */
  bytes?: Buffer;
  signature?: string;
  host?: 'sandbox' | 'production';
}

/** A service with a fake provider, and one workspace connected to it. */
export class WebhookWorkspace {
  private constructor(
    readonly service: TestService,
    readonly provider: FakeProvider,
    readonly workspace: TestWorkspace,
    readonly operator: OperatorClient,
    readonly connection: string,
    readonly secret: string,
  ) {}

  static async start(options: { deadlockTimeout?: `${number}s` } = {}): Promise<WebhookWorkspace> {
    const provider = new FakeProvider();
    const service = await startTestService({ ...options, providerAdapters: { provider_a: provider } });
    return WebhookWorkspace.within(service, provider);
  }

  /** Creates another workspace in the same service. */
  another(): Promise<WebhookWorkspace> {
    return WebhookWorkspace.within(this.service, this.provider);
  }

  private static async within(service: TestService, provider: FakeProvider): Promise<WebhookWorkspace> {
    const workspace = await createWorkspace(service.database);
    const operator = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
    const secret = fakeSecret('whsec_');
    const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: secret };
    const connection = await connect(operator, { secrets });
    return new WebhookWorkspace(service, provider, workspace, operator, connection, secret);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Sends an event as the provider does. */
  async post(event: CanonicalEvent | null, sending: Sending = {}): Promise<Answer> {
    const bytes = sending.bytes ?? bytesOf(event ?? {});
    const { connection = this.connection, secret = this.secret, host = 'sandbox' } = sending;
    const url = new URL('/v1/webhooks/provider_a', this.service.urls[host]);
    if (connection !== null) url.searchParams.set('connection', connection);
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Stripe-Signature': sending.signature ?? signatureOf(secret, bytes),
      },
      body: new Uint8Array(bytes),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Answer['body'],
    };
  }

  /** Creates a subscription at the provider, and the facts that the provider reports for it. */
  async subscribe(
    row: Record<string, unknown> = {},
  ): Promise<{ id: string; reference: string; customerId: string }> {
    const seed = new CatalogueSeeder(this.service.database, this.workspace.sandbox);
    const plan = await seed.plan(randomUUID(), []);
    const customerId = await seed.customer(randomUUID());
    const id = await seed.subscription(customerId, plan, {
      provider: 'provider_a',
      anchor: PERIOD_START,
      current_period_end: new Date(PERIOD_END),
      next_wake_at: new Date(PERIOD_END),
      ...row,
    });
    const reference = `sub_ref_${randomUUID().slice(0, 8)}`;
    await this.refer('subscription', reference, id);
    this.provider.subscriptions.set(reference, factsOf(reference));
    return { id, reference, customerId };
  }

  refer(kind: string, reference: string, targetId: string, connection = this.connection): Promise<unknown> {
    return this.service.database.query(
      `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
       VALUES ($1, 'sandbox', 'provider_a', $2, $3, $4, $5, now())`,
      [this.workspace.workspaceId, kind, reference, connection, targetId],
    );
  }

  /** Changes the facts that the provider reports for a subscription. */
  say(reference: string, facts: Partial<SubscriptionFacts>): void {
    const known = this.provider.subscriptions.get(reference) ?? factsOf(reference);
    this.provider.subscriptions.set(reference, { ...known, ...facts });
  }

  rows<Row extends object = Record<string, unknown>>(
    table: string,
    columns = '*',
    where = 'true',
  ): Promise<Row[]> {
    return this.service.database.query<Row>(
      `SELECT ${columns} FROM tollgate.${table} WHERE workspace_id = $1 AND ${where}`,
      [this.workspace.workspaceId],
    );
  }

  /** Returns the state that webhooks may change, without write times and random ids. */
  async state(): Promise<unknown> {
    const money = await this.service.database.query(
      `SELECT p.reference, p.status, p.amount, p.applied_amount, p.received_at, p.settlement_id IS NOT NULL AS settled,
              (SELECT json_agg(json_build_array(r.status, r.amount) ORDER BY r.status, r.amount)
                 FROM tollgate.refunds r WHERE r.workspace_id = p.workspace_id AND r.payment_id = p.id) AS refunds
         FROM tollgate.payments p WHERE p.workspace_id = $1 ORDER BY p.reference`,
      [this.workspace.workspaceId],
    );
    const subscriptions = await this.rows(
      'subscriptions',
      'id, status, plan_id, seats, current_period_start, current_period_end, cancel_at_period_end, past_due_since',
      'true ORDER BY id',
    );
    const references = await this.rows('provider_references', 'kind, reference');
    return JSON.parse(
      JSON.stringify({
        money,
        subscriptions,
        references: references.map((row) => JSON.stringify(row)).sort(),
      }),
    );
  }

  /** Returns the counts of failed deliveries, including those of the platform. */
  async attempts(): Promise<{ connection: number; platform: number; rows: number }> {
    const [own] = await this.service.database.query<{ sum: string; rows: string }>(
      'SELECT coalesce(sum(count), 0) AS sum, count(*) AS rows FROM tollgate.webhook_failures WHERE workspace_id = $1',
      [this.workspace.workspaceId],
    );
    const [platform] = await this.service.database.query<{ sum: string }>(
      `SELECT coalesce(sum(count), 0) AS sum FROM tollgate.platform_audit WHERE action = 'webhook.refused'`,
    );
    return { connection: Number(own?.sum), platform: Number(platform?.sum), rows: Number(own?.rows) };
  }

  /** Returns the WEBHOOK_PROCESSED events of a status, as an integrator reads them. */
  async events(
    status: string,
  ): Promise<{ message: string; source: string; data: Record<string, unknown> }[]> {
    const api = new Integrator(this.service.urls.sandbox, this.workspace.sandboxKey);
    const answer = await api.send('GET', `/v1/events?eventType=WEBHOOK_PROCESSED&status=${status}&take=200`);
    return answer.body['data'] as { message: string; source: string; data: Record<string, unknown> }[];
  }
}

function factsOf(reference: string): SubscriptionFacts {
  return {
    reference,
    status: 'active',
    planReference: 'price_fake',
    quantity: 1,
    currentPeriodStart: PERIOD_START,
    currentPeriodEnd: PERIOD_END,
    cancelAtPeriodEnd: false,
    customerReference: null,
  };
}

export function paymentOf(reference: string, members: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    reference,
    kind: 'payment',
    amount: 2900n,
    currency: 'USD',
    status: 'succeeded',
    subscriptionReference: null,
    invoiceReference: null,
    occurredAt: PERIOD_START,
    ...members,
  };
}

export function refundOf(
  reference: string,
  payment: string,
  members: Partial<RefundFacts> = {},
): RefundFacts {
  return {
    reference,
    of: { kind: 'payment', reference: payment },
    amount: 500n,
    currency: 'USD',
    status: 'succeeded',
    totalRefunded: null,
    ...members,
  };
}
