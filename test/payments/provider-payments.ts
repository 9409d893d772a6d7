import { randomUUID } from 'node:crypto';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import type { CommandSender } from '../../src/operations/command-sender';
import { connect } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { callsOfA, callsOfB, callsOfC, type ProviderCalls } from './provider-calls';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from '../support/deliver-webhooks';

export const PAYMENT_PROVIDERS: readonly [PaymentProvider][] = [
  ['provider_a'],
  ['provider_b'],
  ['provider_c'],
];

/** A payment that a provider has collected, recorded at the provider and here. */
export interface CollectedPayment {
  provider: PaymentProvider;
  paymentId: string;
  customerId: string;
  /** The provider's reference: A's payment intent, B's capture or sale, C's transaction. */
  reference: string;
}

interface Listed {
  id: string;
  reference: string;
  references: { kind: string; reference: string }[];
  status: string;
}

/** One workspace connected to all three simulated providers. */
export class ProviderPayments {
  readonly calls: Record<PaymentProvider, ProviderCalls>;
  readonly connections: Record<PaymentProvider, string>;

  private constructor(
    readonly simulators: RunningSimulators,
    readonly service: TestService,
    readonly operator: OperatorClient,
    calls: Record<PaymentProvider, ProviderCalls>,
    connections: Record<PaymentProvider, string>,
  ) {
    this.calls = calls;
    this.connections = connections;
  }

  static async start(
    commands: 'direct' | ((direct: CommandSender) => CommandSender) = 'direct',
  ): Promise<ProviderPayments> {
    const simulators = await startSimulators({ retryDelaysMs: [] });
    const { a, b, c } = simulators.urls;
    const service = await startTestService({
      commands,
      providerAdapters: createTestAdapters(),
      providerUrls: { provider_a: a, provider_b: b, provider_c: c },
    });
    const operator = await logIn(service, { role: 'admin' });
    const calls = {
      provider_a: callsOfA(simulators),
      provider_b: callsOfB(simulators),
      provider_c: callsOfC(simulators),
    };
    const open = async (provider: PaymentProvider): Promise<string> => {
      const id = await connect(operator, { provider, secrets: calls[provider].secrets });
      calls[provider].open(`${service.urls.sandbox}/v1/webhooks/${provider}?connection=${id}`);
      return id;
    };
    const connections = {
      provider_a: await open('provider_a'),
      provider_b: await open('provider_b'),
      provider_c: await open('provider_c'),
    };
    return new ProviderPayments(simulators, service, operator, calls, connections);
  }

  get scope() {
    return { workspaceId: this.operator.workspaceId, environment: 'sandbox' } as const;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.simulators.stop();
  }

  /** Has a new customer pay 29.00, once or for the first month, and delivers the webhooks. */
  async collect(
    provider: PaymentProvider,
    what: 'once' | 'subscription' = 'once',
  ): Promise<CollectedPayment> {
    const calls = this.calls[provider];
    const offered = what === 'once' ? await calls.checkout(2900) : await calls.subscribe(2900);
    const customerId = await this.offer(provider, what, offered);
    await offered.pay();
    await this.arrive();
    const answer = await this.operator.get('/api/billing/payments', { query: { customerId } });
    const [payment] = answer.body['data'] as Listed[];
    if (payment?.status !== 'succeeded') throw new Error(`No payment: ${JSON.stringify(answer.body)}`);
    // A refers to a payment both by its invoice and by its own reference, in no guaranteed order.
    const own = payment.references.find(({ kind }) => provider === 'provider_a' && kind === 'payment');
    const reference = own?.reference ?? payment.reference;
    return { provider, customerId, paymentId: payment.id, reference };
  }

  /** Gives a connection the credentials of another account, which has no record of the first account's payments. */
  async useOtherAccount(provider: PaymentProvider): Promise<void> {
    const other = {
      provider_a: callsOfA,
      provider_b: callsOfB,
      provider_c: callsOfC,
    }[provider](this.simulators);
    other.open(this.service.urls.sandbox);
    await this.changeSecrets(provider, other.secrets);
  }

  useOwnAccount(provider: PaymentProvider): Promise<void> {
    return this.changeSecrets(provider, this.calls[provider].secrets);
  }

  private async changeSecrets(provider: PaymentProvider, secrets: Record<string, string>): Promise<void> {
    const path = `/api/provider-connections/${this.connections[provider]}`;
    const { status, body } = await this.operator.patch(path, { body: { secrets } });
    if (status !== 200) throw new Error(`The credentials were answered ${status}: ${JSON.stringify(body)}`);
  }

  /** Delivers all pending webhooks. */
  arrive(): Promise<void> {
    return deliverWebhooks(this.simulators.core.outbox);
  }

  /** Advances the providers' clock. */
  async pass(milliseconds: number): Promise<void> {
    const { clock } = this.simulators.core;
    await clock.advanceTo(clock.now() + milliseconds);
    await this.arrive();
  }

  /** Delivers the webhooks of `work` three times, in an order that the seed decides. */
  async shuffled(seed: number, work: () => Promise<void>): Promise<void> {
    const { outbox } = this.simulators.core;
    const before = new Set(outbox.deliveries.map(({ id }) => id));
    outbox.switches.drop = true;
    try {
      await work();
    } finally {
      outbox.switches.drop = false;
    }
    const ids = outbox.deliveries.map(({ id }) => id).filter((id) => !before.has(id));
    for (const id of shuffle([...ids, ...ids, ...ids], seed)) outbox.resend(id);
    await this.arrive();
  }

  rows<Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.service.database.query<Row>(sql, values);
  }

  /** Returns the refunds of a payment recorded here, smallest first. */
  refunds(paymentId: string): Promise<{ id: string; amount: string; status: string; reference: string }[]> {
    return this.rows(
      `SELECT r.id, r.amount, r.status, f.reference FROM tollgate.refunds r
         LEFT JOIN tollgate.provider_references f ON f.target_id = r.id AND f.kind = 'refund'
        WHERE r.payment_id = $1 ORDER BY r.amount, r.status, f.reference`,
      [paymentId],
    );
  }

  /** Creates the page's checkout here, as it is before payment. */
  private async offer(
    provider: PaymentProvider,
    what: 'once' | 'subscription',
    { kind, reference }: { kind: string; reference: string },
  ): Promise<string> {
    const { workspaceId } = this.operator;
    const { currency } = this.calls[provider];
    const seed = new CatalogueSeeder(this.service.database, { workspaceId, environment: 'sandbox' });
    const customerId = await seed.customer(randomUUID());
    const row = { provider, status: 'incomplete', currency, next_wake_at: null };
    const subscriptionId =
      what === 'once' ? null : await seed.subscription(customerId, await seed.plan(randomUUID(), []), row);
    const checkoutId = `chk_${randomUUID()}`;
    const once = what === 'once' ? [2900, currency, 'Once'] : [null, null, null];
    await this.rows(
      `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, connection_id,
         reference_kind, reference, status, kind, amount, currency, description, expires_at, next_wake_at, created_at, updated_at)
       VALUES ($1, 'sandbox', $2, $3, $4, $5, $6, $7, $8, 'open', $9, $10, $11, $12, now() + interval '1 day', now() + interval '1 day', now(), now())`,
      [
        ...[workspaceId, checkoutId, customerId, subscriptionId, provider, this.connections[provider]],
        ...[kind, reference, what === 'once' ? 'payment' : 'subscription', ...once],
      ],
    );
    await this.rows(
      `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
       VALUES ($1, 'sandbox', $2, $3, $4, $5, $6, now())`,
      [
        ...[workspaceId, provider, kind, reference, this.connections[provider]],
        kind === 'subscription' ? subscriptionId : checkoutId,
      ],
    );
    return customerId;
  }
}

/** Shuffles into an order fixed by the seed. */
function shuffle<Item>(items: Item[], seed: number): Item[] {
  let state = seed * 2_654_435_761 + 1;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return items
    .map((item) => ({ item, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
