import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';
import type { SubscriptionInput } from '../../workflows/messages';
import { until } from '../support/until';
import { monthlyView } from '../workflows/fake-billing';
import { FakeProviderBilling, type Luck } from '../workflows/fake-provider-billing';
import { FakeProviderReading, IDLE } from '../workflows/fake-provider-reading';
import type { SkippedTime } from '../workflows/time-skipping';
import { historyOf, type Scenario } from './scenarios';

const MONTH_AND_MORE = 32 * DAY_MS;
/** The summary of a pause's timer, as a history holds it. */
const PAUSE = Buffer.from('"The provider is asked again."').toString('base64');

/** Replay scenarios of subscriptions that a payment provider bills. */
export const providerScenarios: Readonly<Record<string, Scenario>> = {
  /** A downgrade is sent to the provider shortly before the renewal; the run continues as new. */
  'provider-prepared': async (time, input) => {
    const billing = await billed(time, { scheduled: true });
    return living(time, input, billing, async (workflowId, firstRun) => {
      await time.pass(MONTH_AND_MORE);
      await until(() => billing.steps.includes('read_back'));
      return historyOf(time.client.workflow.getHandle(workflowId, firstRun));
    });
  },

  /** A command that the provider carries out at once. */
  'provider-commanded': async (time, input) => {
    const billing = await billed(time, {});
    return living(time, input, billing, async (workflowId, firstRun) => {
      await send(time, input, billing, 'op_cancel');
      return historyOf(time.client.workflow.getHandle(workflowId, firstRun));
    });
  },

  /** A signal arrives while a command's answer is on the way, so the row is read again. */
  'provider-signalled': async (time, input) => {
    const billing = await billed(time, {});
    billing.beforeAnswer = async () => {
      await time.poke(input);
    };
    return living(time, input, billing, async (workflowId, firstRun) => {
      await send(time, input, billing, 'op_cancel');
      return historyOf(time.client.workflow.getHandle(workflowId, firstRun));
    });
  },

  /** The outcome of a command is unknown: its caller is released, and a timer checks again. */
  'provider-unsettled': async (time, input) => {
    const billing = await billed(time, { luck: ['in doubt'] });
    return living(time, input, billing, async (workflowId, firstRun) => {
      await send(time, input, billing, 'op_doubt');
      await time.pass(DAY_MS);
      await until(() => billing.steps.includes('settle_call'));
      return historyOf(time.client.workflow.getHandle(workflowId, firstRun));
    });
  },

  /** A signal arrives while the run pauses for the provider, so the row is read before the provider is asked. */
  'provider-signalled-in-pause': async (time, input) => {
    const billing = await billed(time, { scheduled: true, luck: ['fails for good'] });
    return living(time, input, billing, async (workflowId, firstRun) => {
      await time.pass(
        billing.row.currentPeriodEnd - PREPARE_WINDOW_MS - (await time.environment.currentTimeMs()),
      );
      const handle = time.client.workflow.getHandle(workflowId, firstRun);
      await until(async () => (await historyOf(handle)).includes(PAUSE));
      await time.poke(input);
      await until(() => billing.work.sync?.state === 'prepared');
      return historyOf(handle);
    });
  },

  /** The provider is read every hour while the subscription is past due, until it is paid. */
  'provider-past-due': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeProviderReading(
      monthlyView(now - DAY_MS, now, {
        provider: 'provider_c',
        status: 'past_due',
        pastDueSince: now,
        cancelAtPeriodEnd: false,
        work: { ...IDLE, pastDueReadAt: null },
      }),
    );
    return living(time, input, billing, async (workflowId, firstRun) => {
      await time.pass(3 * HOUR_MS);
      billing.shows.paid = true;
      await time.pass(HOUR_MS);
      await until(() => billing.row.status === 'active');
      return historyOf(time.client.workflow.getHandle(workflowId, firstRun));
    });
  },
};

async function billed(
  time: SkippedTime,
  { scheduled = false, luck = [] }: { scheduled?: boolean; luck?: Luck[] },
): Promise<FakeProviderBilling> {
  const now = await time.environment.currentTimeMs();
  const billing = new FakeProviderBilling(
    monthlyView(now - DAY_MS, now, {
      provider: 'provider_a',
      ...(scheduled && { scheduled: { planSlug: 'starter', seats: 5 }, scheduledInterval: 'month' }),
      cancelAtPeriodEnd: false,
      work: { unsettled: null, request: null, sync: null, lookAgainAt: null },
    }),
  );
  billing.luck = luck;
  return billing;
}

/** Runs part of a test alongside the workflow, keeps the history that it returns, and ends the workflow. */
async function living(
  time: SkippedTime,
  input: SubscriptionInput,
  billing: FakeProviderBilling | FakeProviderReading,
  work: (workflowId: string, firstRun: string) => Promise<string>,
): Promise<string> {
  const record = async (): Promise<string> => {
    const { workflowId, signaledRunId } = await time.poke(input);
    const history = await work(workflowId, signaledRunId);
    billing.row = { ...billing.row, status: 'cancelled', work: { ...billing.work, unsettled: null } };
    await time.poke(input);
    await time.completed(workflowId);
    return history;
  };
  return time.working(billing.billing, record, billing.providers);
}

async function send(
  time: SkippedTime,
  input: SubscriptionInput,
  billing: FakeProviderBilling,
  operationId: string,
): Promise<void> {
  billing.accept(operationId, 'at provider');
  await time.command(input, { operationId, attempt: `attempt_of_${operationId}` });
}
