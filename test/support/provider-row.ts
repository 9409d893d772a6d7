import { openDatabase } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { operationHandlers } from '../../src/service/operation-handlers';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import { callProvider } from '../../src/subscriptions/at-provider/call-provider';
import { findBilledSubscription } from '../../src/subscriptions/billed-subscription-store';
import { createLogger } from '../../src/telemetry/logger';
import { Integrator } from './integrator';
import type { ProviderWorld, Shown, WorldSubscription } from './provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

const MINUTE_MS = 60_000;
/** By then a call without an outcome is asked for again. */
const SETTLED_MS = 2 * MINUTE_MS;

/** Where nothing listens. */
const NOBODY = 'http://127.0.0.1:1/';

/** What a developer event, or an entry of the history, says. */
interface Told {
  kind: string;
  message: string;
}

/** The looks that the tests of a provider's rows take at a subscription, from all sides. */
export class ProviderRow {
  private integrator: Promise<Integrator> | undefined;

  constructor(readonly world: ProviderWorld) {}

  /** The quota that the customer may use, by `POST /v1/usage/check`; the refusal's code without one. */
  async access({ externalId }: Pick<WorldSubscription, 'externalId'>): Promise<unknown> {
    this.integrator ??= this.makeKey();
    const { body } = await (await this.integrator).check(externalId, 'api_calls');
    return body['allowed'] === true ? body['quota'] : (body['reason'] as { code: string }).code;
  }

  private async makeKey(): Promise<Integrator> {
    const { body } = await this.world.operator.post('/api/api-keys', { body: { name: 'test' } });
    return new Integrator(this.world.service.urls.sandbox, String(body['secret']));
  }

  /** What a refusal or a doubt must leave as it is. */
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

  /** Its history since it began, in words, the oldest first. */
  async told({ id }: Pick<WorldSubscription, 'id'>): Promise<Told[]> {
    const query = { take: '200' };
    const { body } = await this.world.operator.get(`/api/billing/subscriptions/${id}/timeline`, { query });
    const all = (body['data'] as Told[]).map(({ kind, message }) => ({ kind, message })).reverse();
    return all.filter(({ kind }) => !BEGINNING.has(kind));
  }

  async kinds(subscription: Pick<WorldSubscription, 'id'>): Promise<string[]> {
    return (await this.told(subscription)).map(({ kind }) => kind);
  }

  /** What is to come, in words. */
  async upcoming({ id }: Pick<WorldSubscription, 'id'>): Promise<string[]> {
    const { body } = await this.world.operator.get(`/api/billing/subscriptions/${id}/timeline`);
    return (body['upcoming'] as Told[]).map(({ message }) => message);
  }

  /** Its developer events of a change, with their status. */
  async events({ id }: Pick<WorldSubscription, 'id'>, change: string): Promise<string[]> {
    const query = { eventType: 'SUBSCRIPTION_CHANGED', take: '200' };
    const { body } = await this.world.operator.get('/api/developer-events', { query });
    const all = body['data'] as { status: string; data: Record<string, unknown> }[];
    return all
      .filter(({ data }) => data['subscriptionId'] === id && data['change'] === change)
      .map(({ status }) => status);
  }

  /** Whether each act can be done now, or why not. */
  async capabilities(subscription: Pick<WorldSubscription, 'id'>): Promise<Record<string, string>> {
    const { capabilities } = await this.world.show(subscription.id);
    return Object.fromEntries(
      Object.entries(capabilities).map(([name, { available, reasonCode }]) => [
        name,
        available ? 'available' : String(reasonCode),
      ]),
    );
  }

  /** How many webhooks of an event the provider has made about a subscription: how often it has happened there. */
  happened({ reference }: Pick<WorldSubscription, 'reference'>, event: string): number {
    return this.world.simulators.core.outbox.deliveries.filter(
      (delivery) => delivery.event === event && delivery.body.includes(reference),
    ).length;
  }

  /** Lets webhooks get lost on their way, or arrive again. */
  lose(lost: boolean): void {
    this.world.simulators.core.outbox.switches.wrongEnvironmentUrl = lost ? NOBODY : null;
  }

  /** Requests to a path of a provider meet a fault until `hearAgain`. */
  break(provider: PaymentProvider, path: string, fault: 'cut_after_commit' | 'answer_500'): void {
    this.world.fault(provider, path, fault, Infinity);
  }

  /** Webhooks and answers arrive again. */
  hearAgain(): void {
    this.lose(false);
    this.world.simulators.core.faults.clear();
  }

  /** After a test: nothing is lost any more, and what it has left is cancelled, so that no later one has to renew it. */
  async endAll(): Promise<void> {
    this.hearAgain();
    const { body } = await this.world.operator.get('/api/billing/subscriptions', { query: { take: '200' } });
    for (const { id, status } of body['data'] as { id: string; status: string }[]) {
      if (status !== 'cancelled' && status !== 'expired') await this.world.command(id, 'cancel');
    }
  }

  /** Lets enough time pass for a call without an outcome to be asked for again. */
  async settleLater(): Promise<void> {
    await this.world.advanceBy(SETTLED_MS);
  }

  /** How a command that was answered 202 stands. */
  async operation(answer: { body: Record<string, unknown> }): Promise<Record<string, unknown>> {
    return (await this.world.operator.get(`/api/billing/operations/${String(answer.body['id'])}`)).body;
  }

  /**
   * Has the process die with the next command: when its calls are claimed and none is made, or when all of them are
   * made and nothing is written down.
   */
  dieWithNextCommand(where: 'before_call' | 'after_call'): void {
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
        const row = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
          findBilledSubscription(trx, scope, target.id, 'read'),
        );
        const unsettled = row?.work.unsettled;
        if (row === undefined || !unsettled) throw new Error('Nothing is claimed.');
        if (where === 'after_call') await this.makeCalls(row.provider as PaymentProvider, row, unsettled);
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

/** The end of the period that runs. */
export function periodEnd({ currentPeriodEnd }: Pick<Shown, 'currentPeriodEnd'>): number {
  return Date.parse(currentPeriodEnd);
}
