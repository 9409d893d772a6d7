import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Books } from '../simulators/core/books';
import type { RunningSimulators } from '../simulators/start';
import { differencesOf, moneyHere, moneyThere } from '../test/accountant/compare-books';
import { createCustomer, idOf, subscribe } from '../test/catalog/offer';
import { CatalogueSeeder } from '../test/support/catalogue';
import { logIn, type OperatorClient } from '../test/support/operator';
import { openShop, payOnPage, type ProviderShop } from '../test/support/provider-shop';
import type { Installation } from './installation';
import { refundOf, seatsOf, type SentCommand } from './money-commands';
import { moveClock } from './move-clock';
import { pollUntil } from './poll-until';
import { DAY_MS } from '../src/domain/instant';
import type { PaymentProvider } from '../src/domain/provider';

const PROVIDERS: readonly PaymentProvider[] = ['provider_a', 'provider_b', 'provider_c'];
/** Longer than any month, so that every monthly subscription renews. */
const OVER_A_MONTH_MS = 32 * DAY_MS;

/** The test's subscriptions at each provider and in local billing, and their first payments. */
export class Shop {
  private constructor(
    private readonly installation: Installation,
    private readonly simulators: RunningSimulators,
    private readonly shop: ProviderShop,
    readonly operator: OperatorClient,
    private readonly atA: readonly string[],
    private readonly here: readonly string[],
    private readonly payments: readonly string[],
  ) {}

  static async open(installation: Installation, simulators: RunningSimulators, count: number): Promise<Shop> {
    const { database, urls } = installation;
    const operator = await logIn({ database, urls }, { role: 'admin' });
    const seed = new CatalogueSeeder(database, { workspaceId: operator.workspaceId, environment: 'sandbox' });
    const shop = await openShop(operator, seed, simulators, urls.sandbox);
    const sold: { provider: PaymentProvider; id: string }[] = [];
    for (const provider of PROVIDERS) {
      for (let n = 0; n < count; n += 1) sold.push({ provider, id: await sell(operator, provider) });
    }
    const here: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { externalId } = await createCustomer(operator);
      here.push(idOf(await subscribe(operator, { externalId, planId: shop.plans.pro.planId, seats: 1 })));
    }
    // C's subscriptions are found when their checkouts are polled, two minutes later.
    await moveClock(installation, operator, 5 * 60_000);
    const payments = await pollUntil(async () => {
      const rows = await database.query<{ id: string }>(
        "SELECT id FROM tollgate.payments WHERE status = 'succeeded' AND subscription_id IS NOT NULL ORDER BY id",
      );
      const active = await database.query(
        "SELECT id FROM tollgate.subscriptions WHERE status = 'active' AND provider <> 'internal'",
      );
      return rows.length >= sold.length && active.length === sold.length ? rows : undefined;
    });
    const atA = sold.filter(({ provider }) => provider === 'provider_a').map(({ id }) => id);
    return new Shop(
      installation,
      simulators,
      shop,
      operator,
      atA,
      here,
      payments.map(({ id }) => id),
    );
  }

  /**
   * Returns the nth command: a refund that grows by one or two cents each time, or a change to another number of seats.
   */
  command(n: number): Omit<SentCommand, 'status'> {
    const of = (all: readonly string[]): string => all[n % all.length] ?? '';
    if (n % 4 === 0) return seatsOf(of(this.here), 2 + n);
    // Few changes at A, because each is charged at once, for all seats.
    if (n % 16 === 1) return seatsOf(of(this.atA), 2 + n);
    return refundOf(of(this.payments), 1 + n);
  }

  /** Ends a period of every subscription. */
  renew(): Promise<void> {
    return moveClock(this.installation, this.operator, OVER_A_MONTH_MS);
  }

  books(): Books[] {
    const { a, b, c } = this.simulators.providers;
    const { provider_a, provider_b, provider_c } = this.shop.secrets;
    const { clientId = '', clientSecret = '' } = provider_b;
    return [
      a.account({ secretKey: provider_a['secretKey'] ?? '' }).books(),
      b.account({ clientId, clientSecret }).books(),
      c.controls(provider_c['secretKey'] ?? '').books(),
    ];
  }

  /** Expires provider A's idempotency keys, as a day would. Each keeps its first answer for a day, even a 500. */
  forgetKeysOfA(): void {
    const { secretKey = '' } = this.shop.secrets.provider_a;
    this.simulators.providers.a.account({ secretKey }).forgetKeys();
  }

  /** Delivers the pending webhooks, and makes the daily comparison. */
  async settle(): Promise<void> {
    await this.simulators.core.outbox.retryNow();
    await moveClock(this.installation, this.operator, DAY_MS);
    const { body } = await this.operator.get('/api/billing/subscriptions', { query: { take: '200' } });
    for (const { id, provider } of body['data'] as { id: string; provider: string }[]) {
      if (provider !== 'internal') await this.operator.get(`/api/billing/subscriptions/${id}/drift`);
    }
    const headers = { 'Idempotency-Key': randomUUID() };
    const answer = await this.operator.post('/api/billing/settlements/collect', { body: {}, headers });
    if (answer.status !== 200) throw new Error(`The collection was answered ${JSON.stringify(answer.body)}`);
  }

  /** Compares payments and refunds here with the providers' books; waits a moment for those still in transit. */
  async differences(): Promise<string[]> {
    const compare = async (): Promise<string[]> => {
      const all = await Promise.all(
        this.books().map(async (books, n) => {
          const provider = PROVIDERS[n] ?? 'provider_a';
          const here = await moneyHere(this.installation.database, provider);
          // Payouts are compared by the accountant scenario, which causes them.
          return differencesOf(provider, { ...here, paidOut: {} }, { ...moneyThere(books), paidOut: {} });
        }),
      );
      return all.flat();
    };
    const deadline = performance.now() + 60_000;
    for (;;) {
      const differences = await compare();
      if (differences.length === 0 || performance.now() > deadline) return differences;
      await pause(500);
    }
  }
}

async function sell(operator: OperatorClient, provider: PaymentProvider): Promise<string> {
  const customer = await createCustomer(operator);
  const email = `${customer.externalId}@example.test`;
  await operator.patch(`/api/customers/${customer.id}`, { body: { email } });
  const { status, body } = await operator.post('/api/billing/checkouts', {
    body: { externalId: customer.externalId, planSlug: 'large', provider },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  if (status !== 201) throw new Error(`A checkout was answered ${status}: ${JSON.stringify(body)}`);
  await payOnPage(provider, String(body['url']));
  return String(body['subscriptionId']);
}
