import type { Clock } from '../../src/clock/clock';
import type { Database } from '../../src/db/pools';
import { nextWake } from '../../src/domain/lifecycle';
import type { SentCommand, SubscriptionCommands } from '../../src/operations/commands';
import { operationHandlers } from '../../src/operations/operation-handlers';
import { createOperationRuns } from '../../src/operations/operations';
import { createRefundSteps } from '../../src/payments/refund-steps';
import type { RefundOutcome } from '../../src/providers/provider';
import { createProviders } from '../../src/providers/providers';
import { createSubscriptionSteps } from '../../src/subscriptions/subscription-steps';
import type { WorkspaceScope } from '../../src/tenancy/scope';

/**
 * Delivers commands in the process, in place of Temporal: one at a time for each target, overdue steps first, and
 * otherwise with the service's own functions. What only Temporal gives (a crash in between is finished) is not here.
 */
export function createDirectCommands(options: { database: Database; clock: Clock }): SubscriptionCommands {
  const { database, clock } = options;
  const operations = createOperationRuns({ database, clock, handlers: operationHandlers });
  const steps = createSubscriptionSteps({ database, clock });
  const refunds = createRefundSteps({ database, clock });
  const providers = createProviders();
  const oneAtATime = createQueues();

  const runOnSubscription = async ({ scope, target, operationId }: SentCommand): Promise<'applied'> => {
    for (;;) {
      const state = await steps.read(scope, target.id);
      const at = clock.now() + (state?.clockOffset ?? 0);
      const run = await operations.run(scope, operationId, at);
      if (run.kind === 'applied') return 'applied';
      await catchUp(scope, target.id, at);
    }
  };

  const catchUp = async (scope: WorkspaceScope, subscriptionId: string, at: number): Promise<void> => {
    for (;;) {
      const state = await steps.read(scope, subscriptionId);
      const wake = state === undefined ? undefined : nextWake(state.subscription, at);
      if (wake?.kind !== 'due') return;
      const key = `${subscriptionId}:${wake.step}:${wake.boundary}`;
      await steps.take(scope, { subscriptionId, step: wake.step, boundary: wake.boundary, at, key });
    }
  };

  const runRefund = async ({ scope, target, operationId }: SentCommand): Promise<'applied' | 'pending'> => {
    const reserved = await refunds.reserve(scope, target.id, operationId);
    if (reserved.kind === 'answered') return 'applied';
    const { refund } = reserved;
    const port = providers[refund.provider];
    const outcome: RefundOutcome =
      port === undefined ? { kind: 'unsupported', reason: 'Not connected.' } : await port.refund(refund);
    await refunds.complete(scope, target.id, outcome, operationId);
    return (await refunds.read(scope, target.id))?.status === 'pending' ? 'pending' : 'applied';
  };

  return {
    send: (command) =>
      oneAtATime(`${command.target.kind}/${command.target.id}`, () =>
        command.target.kind === 'refund' ? runRefund(command) : runOnSubscription(command),
      ),
  };
}

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
