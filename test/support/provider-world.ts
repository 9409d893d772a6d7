import { randomUUID } from 'node:crypto';
import type { Fault } from '../../simulators/core/types';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { createSimulatorsClock } from '../../src/sandbox-clock/simulators-clock';
import { createConnectedProviders } from '../../src/connections/connected-providers';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { Database } from '../../src/db/pools';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createLogger } from '../../src/telemetry/logger';
import { createTestAdapters } from './adapters';
import { CatalogueSeeder } from './catalogue';
import { logIn, type ConsoleAnswer, type OperatorClient } from './operator';
import { openShop, payOnPage, type PlanName } from './provider-shop';
import { startTestService, testSecrets, type TestService, type TestServiceOptions } from './service';
import { until } from './until';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from './deliver-webhooks';

export type { PlanName } from './provider-shop';
export { press } from './provider-shop';

const LETTER = { provider_a: 'a', provider_b: 'b', provider_c: 'c' } as const;

/** Time by which a checkout has polled its provider once. */
const CHECKOUT_LOOK_MS = 3 * 60_000;

export interface ProviderWorldOptions {
  /** As of `startTestService`; `direct` if left out. */
  commands?: TestServiceOptions['commands'];
  /** Real time, for tests that let years pass; the service's own clock is moved by the test. */
  now?: () => number;
  /** Limits on the service's requests to its providers. */
  bounds?: Parameters<typeof createTestAdapters>[1];
  /** Whether the service moves the simulators' clock itself, as it does under `npm start`. */
  follows?: boolean;
}

/** A subscription here and at its provider. */
export interface WorldSubscription {
  id: string;
  provider: PaymentProvider;
  /** The provider's id for it. */
  reference: string;
  externalId: string;
  email: string;
}

/** The subscription as the console shows it. */
export type Shown = Record<string, unknown> & {
  status: string;
  seats: number;
  plan: { slug: string };
  cancelAtPeriodEnd: boolean;
  currentPeriodStart: string;
  currentPeriodEnd: string;
  scheduledChange: { plan: { slug: string }; seats: number } | null;
  pendingApproval: { approvalUrl: string | null; expiresAt: string } | null;
  metadata: Record<string, { state?: string; reason?: string | null } | undefined>;
  capabilities: Record<string, { available: boolean; reasonCode: string | null; reason: string | null }>;
};

/**
 * A service, a workspace with a connection to each simulated provider, and a sandbox whose clock moves theirs.
 * Commands and timed steps run in this process; webhooks arrive over HTTP.
 */
export class ProviderWorld {
  /** For reads of a provider, each of which needs a connection's credentials. */
  private readonly database: Database;

  private constructor(
    readonly simulators: RunningSimulators,
    readonly service: TestService,
    readonly operator: OperatorClient,
    readonly seed: CatalogueSeeder,
    readonly connections: Record<PaymentProvider, string>,
    readonly secrets: Record<PaymentProvider, Record<string, string>>,
    readonly plans: Record<PlanName, { planId: string; planGroupId: string }>,
  ) {
    this.database = service.open('tollgate_app', 2);
  }

  static async start({
    commands = 'direct',
    now = Date.now,
    bounds = {},
    follows = false,
  }: ProviderWorldOptions = {}): Promise<ProviderWorld> {
    const simulators = await startSimulators({ retryDelaysMs: [], real: now });
    const { a, b, c, control } = simulators.urls;
    const service = await startTestService({
      commands,
      providerAdapters: createTestAdapters(now, bounds),
      providerUrls: { provider_a: a, provider_b: b, provider_c: c },
      ...(follows && { clockFollower: createSimulatorsClock(control, createLogger('test', 'fatal')) }),
    });
    const operator = await logIn(service, { role: 'admin' });
    const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
    const seed = new CatalogueSeeder(service.database, scope);
    const shop = await openShop(operator, seed, simulators, service.urls.sandbox);
    const { connections, secrets, plans } = shop;
    return new ProviderWorld(simulators, service, operator, seed, connections, secrets, plans);
  }

  get scope() {
    return { workspaceId: this.operator.workspaceId, environment: 'sandbox' } as const;
  }

  async stop(planted?: { differences: true }): Promise<void> {
    await this.service.stop(planted);
    await this.simulators.stop();
  }

  /** Subscribes a new customer by a checkout: created at the provider, paid on its page, reported by its webhooks. */
  async subscribe(
    provider: PaymentProvider,
    { plan = 'pro', seats = 1, status = 'active' }: { plan?: string; seats?: number; status?: string } = {},
  ): Promise<WorldSubscription> {
    const externalId = `acct-${randomUUID().slice(0, 8)}`;
    const email = `${externalId}@example.test`;
    await this.service.database.query(
      `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, email, metadata, created_at, updated_at)
       VALUES ($1, 'sandbox', $2, $3, $4, '{}', now(), now())`,
      [this.operator.workspaceId, newIdentifier('customer'), externalId, email],
    );
    const { checkoutId, id } = await this.buy(provider, { externalId, plan, seats });
    await this.settle();
    let shown = await this.show(id);
    if (shown.status === 'incomplete') {
      // No webhook of provider C names the checkout of its subscription: the checkout's own poll finds it.
      await this.advanceBy(CHECKOUT_LOOK_MS);
      await this.service.direct.catchUpCheckout(this.scope, checkoutId);
      await this.settle();
      shown = await this.show(id);
    }
    if (shown.status !== status)
      throw new Error(`The subscription is ${shown.status}: ${JSON.stringify(shown)}`);
    return { id, provider, reference: String(shown['providerReference']), externalId, email };
  }

  /** Creates a checkout and pays it. */
  private async buy(
    provider: PaymentProvider,
    { externalId, plan, seats }: { externalId: string; plan: string; seats: number },
  ): Promise<{ checkoutId: string; id: string }> {
    const connectionId = this.connections[provider];
    const response = await this.operator.post('/api/billing/checkouts', {
      body: { externalId, planSlug: plan, seats, provider, connectionId },
      headers: key(),
    });
    const { status, body } =
      response.status === 202 ? await this.answerOf(String(response.body['id'])) : response;
    if (status !== 201) throw new Error(`The checkout was answered ${status}: ${JSON.stringify(body)}`);
    await this.pay(provider, String(body['url']));
    return { checkoutId: String(body['id']), id: String(body['subscriptionId']) };
  }

  /** Waits for the answer of a command that took more than five seconds on a busy machine. */
  private async answerOf(operation: string): Promise<{ status: number; body: Record<string, unknown> }> {
    let shown: Record<string, unknown> = {};
    await until(async () => {
      shown = (await this.operator.get(`/api/billing/operations/${operation}`)).body;
      return shown['finishedAt'] !== null;
    });
    const answer = shown['answer'] as { status: number; body: Record<string, unknown> } | null;
    return answer ?? { status: 409, body: shown };
  }

  /** Presses the button that pays or approves on a provider's page. */
  async pay(provider: PaymentProvider, page: string): Promise<void> {
    await payOnPage(provider, page);
  }

  /** Moves the sandbox's and the providers' clocks, lets webhooks arrive, and takes due steps. */
  async advanceTo(instant: number): Promise<void> {
    await this.moveClocks(instant);
    await this.settle();
  }

  /** Moves both clocks forward without taking the steps that become due. */
  async moveClocks(instant: number): Promise<void> {
    const answer = await this.operator.post('/api/sandbox/clock', {
      body: { to: new Date(instant).toISOString() },
      env: null,
      query: { organizationId: this.operator.workspaceId, env: 'sandbox' },
    });
    if (answer.status !== 200) throw new Error(`The clock answered ${JSON.stringify(answer.body)}`);
    const { clock } = this.simulators.core;
    // If the service has moved the clock, it has run on since.
    await (instant > clock.now() ? clock.advanceTo(instant) : clock.catchUp());
  }

  async advanceBy(milliseconds: number): Promise<void> {
    await this.advanceTo((await this.now()) + milliseconds);
  }

  /** Returns the sandbox's time. */
  async now(): Promise<number> {
    const answer = await this.operator.get('/api/sandbox/clock');
    return Date.parse(String(answer.body['now']));
  }

  /** Delivers every webhook and takes every subscription's due steps, until nothing more happens. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await deliverWebhooks(this.simulators.core.outbox);
      const rows = await this.service.database.query<{ id: string }>(
        `SELECT id FROM tollgate.subscriptions
          WHERE workspace_id = $1 AND provider <> 'internal' AND next_wake_at <= $2`,
        [this.operator.workspaceId, new Date(await this.now())],
      );
      // If nothing was due, no webhook can be pending.
      if (rows.length === 0) return;
      for (const { id } of rows) await this.catchUp(id);
    }
  }

  /** Takes one subscription's due steps, as its workflow does when it wakes. */
  async catchUp(id: string): Promise<void> {
    await this.service.direct.catchUp(this.scope, id);
  }

  async show(id: string): Promise<Shown> {
    return (await this.operator.get(`/api/billing/subscriptions/${id}`)).body as Shown;
  }

  /** Sends a command on a subscription, with a new idempotency key unless one is given. */
  command(
    id: string,
    act: 'cancel' | 'reactivate' | 'change',
    body: Record<string, unknown> = {},
    idempotencyKey: string = randomUUID(),
  ): Promise<ConsoleAnswer> {
    return this.operator.post(`/api/billing/subscriptions/${id}/${act}`, {
      body,
      headers: key(idempotencyKey),
    });
  }

  /** Changes plan or seats. */
  change(
    id: string,
    { plan, seats }: { plan?: PlanName; seats?: number },
    idempotencyKey: string = randomUUID(),
  ): Promise<ConsoleAnswer> {
    const body = {
      ...(plan !== undefined && { planId: this.plans[plan].planId }),
      ...(seats !== undefined && { seats }),
    };
    return this.command(id, 'change', body, idempotencyKey);
  }

  withdraw(id: string, idempotencyKey: string = randomUUID()): Promise<ConsoleAnswer> {
    return this.operator.delete(`/api/billing/subscriptions/${id}/scheduled-change`, {
      headers: key(idempotencyKey),
    });
  }

  /** Returns the kinds of the subscription's history entries, oldest first. */
  async history(id: string): Promise<string[]> {
    const answer = await this.operator.get(`/api/billing/subscriptions/${id}/timeline`, {
      query: { take: '200' },
    });
    return (answer.body['data'] as { kind: string }[]).map(({ kind }) => kind).reverse();
  }

  /** Fetches a subscription from the provider through the service's adapter. */
  async atProvider({ provider, reference }: Pick<WorldSubscription, 'provider' | 'reference'>) {
    const { adapter, access } = await this.open(provider);
    const outcome = await adapter.fetchSubscription(access, reference);
    if (outcome.kind !== 'done') throw new Error(`The provider answered ${JSON.stringify(outcome)}`);
    return outcome.value;
  }

  /** Returns the service's own adapter and a connection's credentials, for a test that reads the provider. */
  async open(provider: PaymentProvider) {
    const { a, b, c } = this.simulators.urls;
    const connected = createConnectedProviders({
      database: this.database,
      keyRing: createKeyRing(testSecrets.credentialKeys),
      providerUrls: { provider_a: a, provider_b: b, provider_c: c },
      adapters: createTestAdapters(),
    });
    return connected.open(this.scope, this.connections[provider]);
  }

  /** Delays the next request to a path by `delayMs`, after `readsFirst` requests without a delay. */
  late(provider: PaymentProvider, path: string, options: { readsFirst: number; delayMs: number }): void {
    const { faults } = this.simulators.core;
    const rule = { provider: LETTER[provider], path };
    if (options.readsFirst > 0) faults.set({ ...rule, fault: 'none', times: options.readsFirst });
    faults.set({ ...rule, fault: 'slow', times: 1, delayMs: options.delayMs });
  }

  /** Makes the next requests to a path of a provider meet a fault. */
  fault(provider: PaymentProvider, path: string, fault: Fault, times = 1): void {
    this.simulators.core.faults.set({ provider: LETTER[provider], path, fault, times });
  }
}

function key(value: string = randomUUID()): Record<string, string> {
  return { 'Idempotency-Key': value };
}
