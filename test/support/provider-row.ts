import type { Fault } from '../../simulators/core/types';
import { openDatabase } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { operationHandlers } from '../../src/service/operation-handlers';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import { beginPendingCall, readPendingCall } from '../../src/subscriptions/at-provider/begin-pending-call';
import { callProvider } from '../../src/subscriptions/at-provider/call-provider';
import { createLogger } from '../../src/telemetry/logger';
import { Integrator } from './integrator';
import type { ProviderWorld, Shown, WorldSubscription } from './provider-world';
import type { PaymentProvider } from '../../src/domain/provider';
import { MINUTE_MS } from '../../src/domain/instant';

/** Time after which a call with an unknown outcome is checked again. */
const SETTLED_MS = 2 * MINUTE_MS;

/** A URL where nothing listens. */
const NOBODY = 'http://127.0.0.1:1/';

/** An entry of the history or of the upcoming events. */
interface HistoryEntry {
  kind: string;
  message: string;
}

/** The tests' view of a provider-billed subscription: access, terms, history, events and capabilities. */
export class ProviderRow {
  private integrator: Promise<Integrator> | undefined;

  constructor(readonly world: ProviderWorld) {}

  /** Returns the customer's quota by `POST /v1/usage/check`, or the refusal's code. */
  async access({ externalId }: Pick<WorldSubscription, 'externalId'>): Promise<unknown> {
    this.integrator ??= this.makeKey();
    const { body } = await (await this.integrator).check(externalId, 'api_calls');
    return body['allowed'] === true ? body['quota'] : (body['reason'] as { code: string }).code;
  }

  /** Records usage. Returns the response of `POST /v1/usage/track`: usage, and the usage period. */
  async track(
    { externalId }: Pick<WorldSubscription, 'externalId'>,
    quantity: number,
  ): Promise<Record<string, unknown>> {
    this.integrator ??= this.makeKey();
    return (await (await this.integrator).track(externalId, 'api_calls', quantity)).body;
  }

  private async makeKey(): Promise<Integrator> {
    const { body } = await this.world.operator.post('/api/api-keys', { body: { name: 'test' } });
    return new Integrator(this.world.service.urls.sandbox, String(body['secret']));
  }

  /** Returns the terms that a refusal or an unknown outcome must leave unchanged. */
  async terms(subscription: WorldSubscription): Promise<unknown[]> {
    const { status, plan, seats, cancelAtPeriodEnd, currentPeriodEnd, scheduledChange, pendingApproval } =
      await this.world.show(subscription.id);
    const waits = [scheduledChange, pendingApproval];
    return [
      status,
      plan.slug,
      seats,
      cancelAtPeriodEnd,
      currentPeriodEnd,
      waits,
      await this.access(subscription),
    ];
  }

  /** Returns its history after the beginning, with messages, oldest first. */
  async timeline({ id }: Pick<WorldSubscription, 'id'>): Promise<HistoryEntry[]> {
    const query = { take: '200' };
    const { body } = await this.world.operator.get(`/api/billing/subscriptions/${id}/timeline`, { query });
    const all = (body['data'] as HistoryEntry[]).map(({ kind, message }) => ({ kind, message })).reverse();
    return all.filter(({ kind }) => !BEGINNING.has(kind));
  }

  async kinds(subscription: Pick<WorldSubscription, 'id'>): Promise<string[]> {
    return (await this.timeline(subscription)).map(({ kind }) => kind);
  }

  /** Returns the status of each of the subscription's payments, earliest first. */
  async paymentStatuses({ id }: Pick<WorldSubscription, 'id'>): Promise<unknown[]> {
    const sql = `SELECT status FROM tollgate.payments WHERE subscription_id = $1 ORDER BY received_at, id`;
    return (await this.world.service.database.query(sql, [id])).map(({ status }) => status);
  }

  /** Returns what differs between the subscription here and at its provider. */
  async differences({ id }: Pick<WorldSubscription, 'id'>): Promise<unknown> {
    return (await this.world.operator.get(`/api/billing/subscriptions/${id}/drift`)).body['differences'];
  }

  /** Returns the messages of the upcoming events. */
  async upcoming({ id }: Pick<WorldSubscription, 'id'>): Promise<string[]> {
    const { body } = await this.world.operator.get(`/api/billing/subscriptions/${id}/timeline`);
    return (body['upcoming'] as HistoryEntry[]).map(({ message }) => message);
  }

  /** Returns the statuses of its developer events of a change. */
  async events({ id }: Pick<WorldSubscription, 'id'>, change: string): Promise<string[]> {
    const query = { eventType: 'SUBSCRIPTION_CHANGED', take: '200' };
    const { body } = await this.world.operator.get('/api/developer-events', { query });
    const all = body['data'] as { status: string; data: Record<string, unknown> }[];
    return all
      .filter(({ data }) => data['subscriptionId'] === id && data['change'] === change)
      .map(({ status }) => status);
  }

  /** Returns for each action `available`, or the code of the reason why not. */
  async capabilities(subscription: Pick<WorldSubscription, 'id'>): Promise<Record<string, string>> {
    const { capabilities } = await this.world.show(subscription.id);
    return Object.fromEntries(
      Object.entries(capabilities).map(([name, { available, reasonCode }]) => [
        name,
        available ? 'available' : String(reasonCode),
      ]),
    );
  }

  /** Counts the provider's webhooks of an event for a subscription: how often it happened there. */
  happened({ reference }: Pick<WorldSubscription, 'reference'>, event: string): number {
    return this.world.simulators.core.outbox.deliveries.filter(
      (delivery) => delivery.event === event && delivery.body.includes(reference),
    ).length;
  }

  /** Loses webhooks in transit, or lets them arrive again. */
  lose(lost: boolean): void {
    this.world.simulators.core.outbox.switches.wrongEnvironmentUrl = lost ? NOBODY : null;
  }

  /** Makes requests to a path of a provider meet a fault until `hearAgain`. */
  break(provider: PaymentProvider, path: string, fault: Fault): void {
    this.world.fault(provider, path, fault, Infinity);
  }

  /** Lets webhooks and responses arrive again. */
  hearAgain(): void {
    this.lose(false);
    this.world.simulators.core.faults.clear();
  }

  /** Cleans up after a test: clears the faults and cancels what remains, so that no later test has to renew it. */
  async endAll(): Promise<void> {
    this.hearAgain();
    const { body } = await this.world.operator.get('/api/billing/subscriptions', { query: { take: '200' } });
    for (const { id, status } of body['data'] as { id: string; status: string }[]) {
      if (status !== 'cancelled' && status !== 'expired') await this.world.command(id, 'cancel');
    }
  }

  /** Lets enough time pass for a call with an unknown outcome to be checked again. */
  async settleLater(): Promise<void> {
    await this.world.advanceBy(SETTLED_MS);
  }

  /** Returns the operation of a command that was answered 202. */
  async operation(answer: { body: Record<string, unknown> }): Promise<Record<string, unknown>> {
    return (await this.world.operator.get(`/api/billing/operations/${String(answer.body['id'])}`)).body;
  }

  /**
   * Makes the process die during the next command: before its calls are recorded as about to be sent, after that but
   * before any is made, or after all of them are made but nothing is recorded.
   */
  dieWithNextCommand(where: 'before_begin' | 'before_call' | 'after_call'): void {
    const { service } = this.world;
    const { direct, clock } = service;
    const send = direct.send.bind(direct);
    direct.send = async ({ scope, target, operationId }) => {
      direct.send = send;
      const options = { max: 1, applicationName: 'test', log: createLogger('test', 'silent') };
      const database = openDatabase(service.database.url('tollgate_worker'), options);
      try {
        const operations = createOperationRunner({ database, clock, handlers: operationHandlers });
        const run = await operations.run(scope, operationId, await this.world.now());
        if (run.kind !== 'claimed') throw new Error(`The command was ${run.kind}.`);
        if (where === 'before_begin') return 'pending';
        const at = await this.world.now();
        const begun = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
          const read = await readPendingCall(trx, scope, target.id);
          return read && beginPendingCall(trx, scope, target.id, { key: read.call.key, at });
        });
        if (begun === null) throw new Error('Nothing is claimed.');
        if (where === 'before_call') return 'pending';
        const { seen, call } = begun;
        await this.makeCalls(seen.provider as PaymentProvider, seen, call);
        return 'pending';
      } finally {
        await database.destroy();
      }
    };
  }

  private async makeCalls(
    provider: PaymentProvider,
    { providerReference }: { providerReference: string | null },
    { calls, key }: Pick<Parameters<typeof callProvider>[1], 'calls' | 'key'>,
  ): Promise<void> {
    const connected = await this.world.open(provider);
    const returnUrl = 'https://shop.example/back';
    const reference = providerReference ?? '';
    const made = { reference, calls, key, repeated: false, reason: 'Requested.', returnUrl };
    await callProvider(connected, made);
  }
}

const BEGINNING: ReadonlySet<string> = new Set(['checkout_created', 'activated', 'payment_recorded']);

/** Returns the end of the current period. */
export function periodEnd({ currentPeriodEnd }: Pick<Shown, 'currentPeriodEnd'>): number {
  return Date.parse(currentPeriodEnd);
}
