import { randomUUID } from 'node:crypto';
import type { OperationCommand, SubscriptionInput } from '../../workflows/messages';
import type { SubscriptionView } from '../../workflows/activity-types';
import type { FakeProviderReading } from './fake-provider-reading';
import type { SkippedTime } from './time-skipping';

/** Registers a command that needs no provider call. */
export function acceptLocal(
  billing: FakeProviderReading,
  change: (row: SubscriptionView) => SubscriptionView,
): OperationCommand {
  const command = atProvider();
  billing.local.set(command.operationId, change);
  return command;
}

/** Returns a command that the provider has to carry out. */
export function atProvider(): OperationCommand {
  return { operationId: `op_${randomUUID()}`, attempt: randomUUID() };
}

/** Runs part of a test alongside a row's workflow, then ends the workflow. */
export async function living(
  time: SkippedTime,
  billing: FakeProviderReading,
  work: (sub: SubscriptionInput) => Promise<void>,
): Promise<void> {
  const sub: SubscriptionInput = {
    workspaceId: 'org_test',
    environment: 'sandbox',
    subscriptionId: `sub_${randomUUID()}`,
  };
  const test = async (): Promise<void> => {
    await time.poke(sub);
    await work(sub);
    billing.row = { ...billing.row, status: 'cancelled', work: { ...billing.work, unsettled: null } };
    const { workflowId } = await time.poke(sub);
    await time.completed(workflowId);
  };
  await time.working(billing.billing, test, billing.providers);
}

/** Advances the server's time to an instant. */
export async function passTo(time: SkippedTime, instant: number): Promise<void> {
  await time.pass(Math.max(0, instant - (await time.environment.currentTimeMs())));
}
