import { createCheckoutTimers } from '../../src/checkouts/checkout-timers';
import { createProviderCheckouts } from '../../src/checkouts/provider-checkouts';
import type { Clock } from '../../src/clock/system-clock';
import type { Database } from '../../src/db/pools';
import { isProviderStep, nextWake } from '../../src/domain/lifecycle';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import { operationHandlers } from '../../src/service/operation-handlers';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import type { ConnectedProviders } from '../../src/connections/connected-providers';
import { reconciler } from '../../src/webhooks/webhook-reconciler';
import { createProviderRefunds } from '../../src/payments/refund-at-provider';
import { createRefundSteps } from '../../src/payments/refund-steps';
import { UnknownOutcomeError } from '../../src/subscriptions/at-provider/unknown-outcome-error';
import { createProviderSubscriptions } from '../../src/subscriptions/at-provider/provider-subscriptions';
import type { Attempt } from '../../src/subscriptions/at-provider/resolve-pending-call';
import { createSubscriptionSteps } from '../../src/subscriptions/subscription-steps';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { PROVIDER_TRIES } from '../../workflows/activity-options';

interface DirectOptions {
  database: Database;
  clock: Clock;
  /** Access to payment providers, if the test has any. */
  connected?: ConnectedProviders;
}

export interface DirectCommands extends CommandSender {
  /** Takes a subscription's due steps, as its workflow does when it wakes. */
  catchUp(scope: WorkspaceScope, subscriptionId: string): Promise<void>;
  /** Takes a checkout's due steps. */
  catchUpCheckout(scope: WorkspaceScope, checkoutId: string): Promise<void>;
  /** Takes a refund's due steps, as its workflow does. */
  catchUpRefund(scope: WorkspaceScope, refundId: string): Promise<unknown>;
}

/**
 * Delivers commands in this process instead of through Temporal, with the service's own functions: one at a time for
 * each target, overdue steps first. It does not resume work after a crash, which only Temporal does.
 */
export function createDirectCommands(options: DirectOptions): DirectCommands {
  const { database, clock, connected = NO_PROVIDERS } = options;
  const operations = createOperationRunner({ database, clock, handlers: operationHandlers });
  const steps = createSubscriptionSteps({ database, clock, commands: operations });
  const returnUrl = (): string => 'https://shop.example/back';
  const atProvider = createProviderSubscriptions({
    database,
    clock,
    connected,
    reconciler,
    returnUrl,
    repair: operationHandlers.repair,
  });
  /** Retries like a provider activity; an outcome still unknown after the last attempt is recorded. */
  const trying = async <Result>(work: (attempt: Attempt) => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work({ repeated: attempt > 1, isLast: attempt >= PROVIDER_TRIES });
      } catch (error) {
        if (!(error instanceof UnknownOutcomeError) || attempt >= PROVIDER_TRIES) throw error;
      }
    }
  };
  const refunds = createRefundSteps({ database, clock });
  const providerRefunds = createProviderRefunds({ database, clock, connected, reconciler });
  const timers = createCheckoutTimers({ database, clock, commands: operations });
  const checkouts = createProviderCheckouts({ database, clock, connected, reconciler });
  const oneAtATime = createQueues();

  const runOnSubscription = async ({
    scope,
    target,
    operationId,
  }: CommandMessage): Promise<'applied' | 'pending'> => {
    for (;;) {
      const state = await steps.read(scope, target.id);
      const at = clock.now() + (state?.clockOffset ?? 0);
      const run = await operations.run(scope, operationId, at);
      if (run.kind === 'applied') return 'applied';
      if (run.kind === 'claimed') {
        const claimed = { subscriptionId: target.id, operationId, at };
        const answer = await trying((attempt) => atProvider.run(scope, claimed, attempt));
        if (answer.kind !== 'unclaimed') return answer.kind;
      } else await catchUp(scope, target.id, at);
    }
  };

  const catchUp = async (scope: WorkspaceScope, subscriptionId: string, at: number): Promise<void> => {
    for (;;) {
      const state = await steps.read(scope, subscriptionId);
      const wake = state === undefined ? undefined : nextWake(state.subscription, at);
      if (wake?.kind !== 'due') return;
      const { step, boundary } = wake;
      const due = { subscriptionId, boundary, at, key: `${subscriptionId}:${step}:${boundary}` };
      // A provider's checkout is handled by its own workflow.
      if (step === 'expire_checkout' && state?.subscription.provider !== 'internal') return;
      if (isProviderStep(step)) await trying((attempt) => atProvider.take(scope, { ...due, step }, attempt));
      else await steps.take(scope, { ...due, step });
    }
  };

  const runRefund = async ({
    scope,
    target,
    operationId,
  }: CommandMessage): Promise<'applied' | 'pending'> => {
    const reserved = await refunds.reserve(scope, target.id, operationId);
    if (reserved.kind === 'answered') return 'applied';
    const { kind } = await providerRefunds.ask(scope, target.id);
    const outcome = kind === 'declined' ? { kind, reason: 'It was declined.' } : { kind };
    await refunds.complete(scope, target.id, outcome, operationId);
    return (await refunds.read(scope, target.id))?.status === 'pending' ? 'pending' : 'applied';
  };

  const runCheckout = async (command: CommandMessage): Promise<'applied' | 'pending'> => {
    const { scope, target, operationId, action: act } = command;
    if (act === 'give_up') {
      return (await checkouts.sync(scope, target.id, { givenUp: true }))?.open === true
        ? 'pending'
        : 'applied';
    }
    const reserved = await checkouts.prepare(scope, target.id, operationId);
    if (reserved?.atProvider?.task !== 'create') return 'applied';
    return (await checkouts.create(scope, target.id))?.atProvider?.task === 'create' ? 'pending' : 'applied';
  };

  const runs = { subscription: runOnSubscription, refund: runRefund, checkout: runCheckout };

  const catchUpCheckout = async (scope: WorkspaceScope, id: string): Promise<void> => {
    const state = await timers.read(scope, id);
    const now = clock.now() + (state?.clockOffset ?? 0);
    if (state?.atProvider === undefined) await timers.expire(scope, id, now);
    else if (state.atProvider === null || state.atProvider.at > now) return;
    else if (state.atProvider.task === 'create') await checkouts.create(scope, id);
    else await checkouts.sync(scope, id, { givenUp: false });
  };

  return {
    catchUpRefund: (scope, id) => oneAtATime(`refund/${id}`, () => providerRefunds.ask(scope, id)),
    catchUpCheckout: (scope, id) => oneAtATime(`checkout/${id}`, () => catchUpCheckout(scope, id)),
    catchUp: (scope, subscriptionId) =>
      oneAtATime(`subscription/${subscriptionId}`, async () => {
        const state = await steps.read(scope, subscriptionId);
        await catchUp(scope, subscriptionId, clock.now() + (state?.clockOffset ?? 0));
      }),
    send: (command) =>
      oneAtATime(`${command.target.kind}/${command.target.id}`, () => runs[command.target.kind](command)),
  };
}

const NO_PROVIDERS: ConnectedProviders = {
  open: () => Promise.reject(new Error('This test has no payment providers.')),
};

function createQueues(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const tails = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (tails.get(name) ?? Promise.resolve()).then(work, work);
    const tail = result.catch(() => undefined);
    tails.set(name, tail);
    void tail.then(() => {
      if (tails.get(name) === tail) tails.delete(name);
    });
    return result;
  };
}
