import { HOUR_MS } from '../../src/domain/instant';
import { operationHandlers } from '../../src/service/operation-handlers';
import type { Fault } from '../../simulators/core/types';
import { createConnectedProviders, type ConnectedProvider } from '../../src/connections/connected-providers';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { nextWake, type ProviderStep } from '../../src/domain/lifecycle';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { takeProviderStep } from '../../src/subscriptions/at-provider/provider-steps';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import { createSubscriptionSteps } from '../../src/subscriptions/subscription-steps';
import { reconciler } from '../../src/webhooks/webhook-reconciler';
import { createLogger } from '../../src/telemetry/logger';
import { createTestAdapters } from './adapters';
import { deliverWebhooks } from './deliver-webhooks';
import { periodEnd, ProviderRow } from './provider-row';
import type { PlanName, ProviderWorld, WorldSubscription } from './provider-world';
import { testSecrets } from './service';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';

type Card =
  | 'pays'
  | 'declines'
  | 'has_insufficient_funds'
  | 'requires_authentication'
  | 'pends'
  | 'is_removed';

/** `ProviderRow` for provider A, with the actions that only provider A supports. */
export class ProviderARow extends ProviderRow {
  private made: WorldSubscription[] = [];

  async subscribe(terms: { plan?: PlanName; seats?: number } = {}): Promise<WorldSubscription> {
    const subscription = await this.world.subscribe('provider_a', terms);
    this.made.push(subscription);
    return subscription;
  }

  /** Ends a test's subscriptions, so that they do not renew when the next test moves the clock. */
  async rest(): Promise<void> {
    this.hearAgain();
    const { made } = this;
    this.made = [];
    for (const subscription of made) await this.endAtProvider(subscription);
    await deliverWebhooks(this.world.simulators.core.outbox);
  }

  /** Sets how the customer's card behaves from now on. */
  async setCard(subscription: WorldSubscription, card: Card): Promise<void> {
    const { customerReference } = await this.world.atProvider(subscription);
    this.account.setCard(customerReference ?? '', card);
  }

  /** Pays the open invoices as the customer, on the provider's page. */
  payOpenInvoices({ reference }: WorldSubscription): void {
    this.account.payOpenInvoices(reference);
  }

  /** Voids the open invoices, or marks them as paid outside of the provider, as in the provider's own console. */
  async endOpenInvoices({ reference }: WorldSubscription, as: 'void' | 'paid'): Promise<void> {
    const address = `${this.world.simulators.urls.a}/v1/invoices`;
    const headers = { Authorization: `Bearer ${this.secretKey}` };
    const listed = await fetch(`${address}?subscription=${reference}`, { headers });
    const { data } = (await listed.json()) as { data: { id: string; status: string }[] };
    const [action, body] =
      as === 'void' ? (['void', ''] as const) : (['pay', 'paid_out_of_band=true'] as const);
    for (const { id, status } of data) {
      if (status === 'open') await fetch(`${address}/${id}/${action}`, { method: 'POST', headers, body });
    }
  }

  /** Refunds a part of a charge, as in the provider's own console. Returns the refund's id. */
  async refundAtProvider(charge: string, amount: number): Promise<string> {
    const answer = await fetch(`${this.world.simulators.urls.a}/v1/refunds`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.secretKey}` },
      body: new URLSearchParams({ charge, amount: String(amount) }),
    });
    return ((await answer.json()) as { id: string }).id;
  }

  /** Describes its status, plan and seats, whether it renews, and the scheduled change. */
  async summary({ id }: WorldSubscription): Promise<string> {
    const { status, plan, seats, cancelAtPeriodEnd, scheduledChange } = await this.world.show(id);
    const terms = `${status}, ${plan.slug} × ${seats}`;
    const ends = cancelAtPeriodEnd ? ', ends' : '';
    if (scheduledChange === null) return `${terms}${ends}`;
    return `${terms}${ends}, then ${scheduledChange.plan.slug} × ${scheduledChange.seats}`;
  }

  /** Returns the price and quantity that the provider bills now. */
  async billed(subscription: WorldSubscription): Promise<string> {
    const { planReference, quantity } = await this.world.atProvider(subscription);
    return `${planReference ?? 'nothing'} × ${quantity ?? 0}`;
  }

  /** Returns how often the provider has changed the subscription. */
  updates(subscription: WorldSubscription): number {
    return this.happened(subscription, 'customer.subscription.updated');
  }

  /** Returns the payments collected for it, oldest first: billing reason and amount (minor units). */
  collected(subscription: WorldSubscription): string[] {
    return collectedFor(this.world, subscription);
  }

  /** Makes the next requests about the subscription meet these faults in order. A change is a read and a write. */
  meet({ reference }: WorldSubscription, ...faults: Fault[]): void {
    for (const fault of faults) {
      const path = `/v1/subscriptions/${reference}`;
      this.world.simulators.core.faults.set({ provider: 'a', path, fault, times: 1 });
    }
  }

  /** Makes the next change succeed without an answer, until all attempts are used up, the library's own included. */
  meetSilence(subscription: WorldSubscription): void {
    // A read caused by a webhook would use up the faults instead.
    this.lose(true);
    this.meet(subscription, 'none', 'cut_after_commit', 'answer_500', 'answer_500', 'answer_500');
  }

  /** Delivers the webhooks that were lost. */
  async deliverLost(): Promise<void> {
    this.lose(false);
    await this.world.simulators.core.outbox.retryNow();
  }

  /** Has a schedule manage it, as in the provider's own console, and end it or leave it with its last phase. */
  async scheduleAtProvider({ reference }: WorldSubscription, end: 'cancel' | 'release'): Promise<void> {
    const post = async (path: string, parameters: Record<string, string>): Promise<{ id: string }> => {
      const answer = await fetch(`${this.world.simulators.urls.a}/v1/subscription_schedules${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${this.secretKey}` },
        body: new URLSearchParams(parameters),
      });
      if (answer.status !== 200) throw new Error(await answer.text());
      return (await answer.json()) as { id: string };
    };
    const { id } = await post('', { from_subscription: reference });
    await post(`/${id}`, { end_behavior: end });
  }

  /** Changes it at the provider, as in the provider's own console, with parameters of the provider's API. */
  async updateAtProvider(
    { reference }: WorldSubscription,
    parameters: Record<string, string>,
  ): Promise<void> {
    const address = `${this.world.simulators.urls.a}/v1/subscriptions/${reference}`;
    const headers = { Authorization: `Bearer ${this.secretKey}` };
    const answer = await fetch(address, { method: 'POST', headers, body: new URLSearchParams(parameters) });
    if (!answer.ok) throw new Error(`Provider A answered ${answer.status}: ${await answer.text()}`);
    await deliverWebhooks(this.world.simulators.core.outbox);
  }

  /** Pauses it at the provider, as in the provider's own console. */
  async pauseAtProvider(subscription: WorldSubscription): Promise<void> {
    await this.post(subscription, 'pause');
  }

  /** Resumes it at the provider after it was paused, as in the provider's own console. */
  async resumeAtProvider(subscription: WorldSubscription): Promise<void> {
    await this.post(subscription, 'resume');
  }

  private async post({ reference }: WorldSubscription, action: 'pause' | 'resume'): Promise<void> {
    const address = `${this.world.simulators.urls.a}/v1/subscriptions/${reference}/${action}`;
    const headers = { Authorization: `Bearer ${this.secretKey}` };
    const answer = await fetch(address, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`Provider A answered ${answer.status}: ${await answer.text()}`);
    await deliverWebhooks(this.world.simulators.core.outbox);
  }

  /** Gives it another price, and another quantity if one is named, at the provider, as in the provider's own console. */
  async changePriceAtProvider(
    subscription: WorldSubscription,
    price: string,
    quantity?: number,
    prorations: 'always_invoice' | 'none' = 'none',
  ): Promise<void> {
    const [item] = await this.itemsAtProvider(subscription);
    await this.updateAtProvider(subscription, {
      'items[0][id]': item?.id ?? '',
      'items[0][price]': price,
      ...(quantity !== undefined && { 'items[0][quantity]': String(quantity) }),
      proration_behavior: prorations,
    });
  }

  /** Removes the item with this price at the provider, as in the provider's own console. */
  async removeItemAtProvider(subscription: WorldSubscription, price: string): Promise<void> {
    const items = await this.itemsAtProvider(subscription);
    await this.updateAtProvider(subscription, {
      'items[0][id]': items.find((item) => item.price.id === price)?.id ?? '',
      'items[0][deleted]': 'true',
      proration_behavior: 'none',
    });
  }

  private async itemsAtProvider({ reference }: WorldSubscription): Promise<Item[]> {
    const address = `${this.world.simulators.urls.a}/v1/subscriptions/${reference}`;
    const shown = await fetch(address, { headers: { Authorization: `Bearer ${this.secretKey}` } });
    return ((await shown.json()) as { items: { data: Item[] } }).items.data;
  }

  /** Ends it at the provider, as in the provider's own console. */
  async endAtProvider({ reference }: WorldSubscription): Promise<void> {
    const address = `${this.world.simulators.urls.a}/v1/subscriptions/${reference}`;
    const headers = { Authorization: `Bearer ${this.secretKey}` };
    await fetch(address, { method: 'DELETE', headers });
  }

  /**
   * Takes the due step in a process that dies: the preparation of a change, before A is called or after it has
   * answered, or a read, before what was read is applied.
   */
  async dieInStep(
    subscription: WorldSubscription,
    where: 'before_call' | 'after_call' | 'before_apply',
  ): Promise<void> {
    await this.withStep(
      subscription,
      where === 'before_apply' ? 'read_back' : 'prepare_change',
      (attempt) => {
        const dying = attempt({
          adapter: dyingAfterChange,
          ...(where === 'before_call' && { open: die }),
          ...(where === 'before_apply' && { applyReading: die }),
        });
        return expect(dying).rejects.toBeInstanceOf(Killed);
      },
    );
  }

  /**
   * Prepares a change in a process that freezes right before it sends it, until `meanwhile` has ended; another process
   * makes the next attempt before that.
   */
  async freezeInPreparation(
    subscription: WorldSubscription,
    meanwhile: () => Promise<unknown>,
  ): Promise<void> {
    await this.withStep(subscription, 'prepare_change', async (attempt) => {
      let thaw = (): void => undefined;
      const thawed = new Promise<void>((resolve) => {
        thaw = resolve;
      });
      let frozen: Promise<void> | undefined;
      await new Promise<void>((freeze) => {
        const changeSubscription =
          (adapter: ProviderAdapter): ProviderAdapter['changeSubscription'] =>
          async (...change) => {
            freeze();
            await thawed;
            return adapter.changeSubscription(...change);
          };
        frozen = attempt({
          adapter: (adapter) => ({ ...adapter, changeSubscription: changeSubscription(adapter) }),
        });
      });
      await attempt({ repeated: true });
      await meanwhile();
      thaw();
      await frozen;
    });
  }

  /** Offers attempts at the step that is due, each in a process of its own. */
  private async withStep(
    { id }: WorldSubscription,
    expected: ProviderStep,
    work: (
      attempt: (options: {
        adapter?: (adapter: ProviderAdapter) => ProviderAdapter;
        open?: () => Promise<never>;
        applyReading?: () => Promise<never>;
        repeated?: boolean;
      }) => Promise<void>,
    ) => Promise<void>,
  ): Promise<void> {
    const { service, operator } = this.world;
    const options = { max: 4, applicationName: 'test', log: createLogger('test', 'silent') };
    const database = openDatabase(service.database.url('tollgate_worker'), options);
    const connected = createConnectedProviders({
      database,
      keyRing: createKeyRing(testSecrets.credentialKeys),
      providerUrls: { provider_a: this.world.simulators.urls.a },
      adapters: createTestAdapters(),
    });
    const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
    const { clock } = service;
    try {
      const at = await this.world.now();
      const commands = createOperationRunner({ database, clock, handlers: operationHandlers });
      const state = await createSubscriptionSteps({ database, clock, commands }).read(scope, id);
      const wake = state && nextWake(state.subscription, at);
      if (wake?.kind !== 'due' || wake.step !== expected) throw new Error(`There is no ${expected} to take.`);
      const { boundary } = wake;
      const due = { subscriptionId: id, step: expected, boundary, at, key: `${id}:${expected}:${boundary}` };
      await work(({ adapter: changed = (adapter) => adapter, open, applyReading, repeated = false }) => {
        const side = {
          database,
          clock,
          connected: {
            open: async (...which: Parameters<typeof connected.open>): Promise<ConnectedProvider> => {
              if (open !== undefined) return open();
              const { adapter, access } = await connected.open(...which);
              return { adapter: changed(adapter), access };
            },
          },
          reconciler: applyReading === undefined ? reconciler : { ...reconciler, applyReading },
          repair: operationHandlers.repair,
          returnUrl: () => 'https://shop.example/back',
        };
        return takeProviderStep(side, scope, due, { repeated, isLast: true });
      });
    } finally {
      await database.destroy();
    }
  }

  /** Moves both clocks forward without taking the steps that become due. */
  async passTo(instant: number): Promise<void> {
    await this.world.moveClocks(instant);
    await deliverWebhooks(this.world.simulators.core.outbox);
  }

  /** Creates two seats of pro with a scheduled change to starter, in the window before renewal, not yet prepared. */
  async inWindow(): Promise<{ subscription: WorldSubscription; end: number }> {
    const subscription = await this.subscribe({ seats: 2 });
    await this.world.change(subscription.id, { plan: 'starter' });
    const end = periodEnd(await this.world.show(subscription.id));
    await this.passTo(end - PREPARE_WINDOW_MS + HOUR_MS);
    return { subscription, end };
  }

  /** Returns the synchronizer's marker from the subscription's metadata. */
  async marker({ id }: WorldSubscription): Promise<Marker | undefined> {
    return (await this.world.show(id)).metadata['nextCycleSync'];
  }

  /** The simulated provider's account. */
  get account() {
    return this.world.simulators.providers.a.account({ secretKey: this.secretKey });
  }

  private get secretKey(): string {
    return this.world.secrets.provider_a['secretKey'] ?? '';
  }
}

interface Item {
  id: string;
  price: { id: string };
}

type Marker = { state?: string; reason?: string | null } & Record<string, unknown>;

interface Invoice {
  billing_reason: string;
  total: number;
}

class Killed extends Error {}

const die = () => Promise.reject(new Killed());

function dyingAfterChange(adapter: ProviderAdapter): ProviderAdapter {
  return {
    ...adapter,
    changeSubscription: async (...change) => {
      const outcome = await adapter.changeSubscription(...change);
      if (outcome.kind !== 'done') throw new Error(`The provider answered ${JSON.stringify(outcome)}`);
      throw new Killed();
    },
  };
}

/** Returns the payments provider A has collected for a subscription, oldest first: reason and amount (minor units). */
export function collectedFor(
  { simulators }: ProviderWorld,
  { reference }: Pick<WorldSubscription, 'reference'>,
): string[] {
  return simulators.core.outbox.deliveries
    .filter(({ event, body }) => event === 'invoice.paid' && body.includes(reference))
    .map(({ body }) => {
      const { data } = JSON.parse(body.toString()) as { data: { object: Invoice } };
      return `${data.object.billing_reason} ${data.object.total}`;
    });
}
