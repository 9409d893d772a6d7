import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import { createCommandSender } from '../../src/temporal/command-sender';
import { isTemporalBusy, isTemporalUnavailable } from '../../src/temporal/grpc-errors';
import { createWorkflowSignals } from '../../src/temporal/workflow-signals';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { until } from '../support/until';

interface SubscriptionPlace {
  scope: WorkspaceScope;
  subscriptionId: string;
}

/** Has a subscription's workflow read its row. The worker registers the search attributes first. */
export async function pokeAsRelay(
  client: Client,
  { scope, subscriptionId }: SubscriptionPlace,
): Promise<void> {
  const { subscription: poke } = createWorkflowSignals(client, systemClock);
  await until(() =>
    poke({ ...scope, subscriptionId }).then(
      () => true,
      () => false,
    ),
  );
}

/** Sends a command, again until it is answered. @returns the answer */
export async function sendAsRelay(
  client: Client,
  { scope, subscriptionId }: SubscriptionPlace,
  operationId: string,
): Promise<string> {
  const target = { kind: 'subscription', id: subscriptionId } as const;
  const sender = createCommandSender(client, systemClock);
  for (;;) {
    try {
      const outcome = await sender.send({ scope, target, operationId, updateId: operationId });
      if (outcome !== 'unanswered') return outcome;
    } catch (error) {
      if (!isTemporalUnavailable(error) && !isTemporalBusy(error)) throw error;
    }
  }
}
