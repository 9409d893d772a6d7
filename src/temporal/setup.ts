import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import type { Clock } from '../clock/system-clock';
import { ENVIRONMENTS } from '../domain/environment';
import { DAY_MS } from '../domain/instant';
import { CALL_TIMEOUT_MS } from './client';
import {
  ALREADY_EXISTS,
  DEADLINE_EXCEEDED,
  grpcCodeOf,
  isNotPermitted,
  isTemporalBusy,
  NOT_FOUND,
} from './grpc-errors';
import { onceSettled } from './once-settled';
import { ensureSchedules, removeEarlierSchedules } from './schedules';
import { registerSearchAttributes } from './search-attributes';

/** One thing that the service needs in Temporal, after checking and creating it. */
export interface SetupStep {
  what: string;
  state: 'there' | 'made' | 'missing';
  /** How to create a missing one. */
  fix?: string;
}

/**
 * Creates what the service needs in Temporal and is missing: the namespace, the search attributes, the schedules of
 * both environments. It may be repeated. Anything that the credentials may not create is reported with its fix.
 *
 * @param retentionDays how long a new namespace keeps closed workflows
 * @throws Error if Temporal is unavailable
 */
export async function* setUpTemporal(
  client: Client,
  clock: Clock,
  retentionDays: number,
): AsyncGenerator<SetupStep> {
  const { namespace } = client.options;
  const made = await onceAnswered(() => ensureNamespace(client, clock, retentionDays));
  yield made;
  if (made.state === 'missing') return;
  const attributes = await onceSettled(() => registerSearchAttributes(client, clock));
  for (const { name, state } of attributes) {
    const what = `search attribute ${name} (Keyword)`;
    const fix = `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type Keyword`;
    yield state === 'missing'
      ? { what, state, fix: `These credentials may not register it. As an administrator: ${fix}` }
      : { what, state: state === 'registered' ? 'made' : 'there' };
  }
  for (const environment of ENVIRONMENTS) {
    const what = `schedules of ${environment}`;
    try {
      const created = await ensureSchedules(client, clock, environment);
      await removeEarlierSchedules(client, clock);
      yield { what, state: created ? 'made' : 'there' };
    } catch (error) {
      if (!isNotPermitted(error)) throw error;
      yield { what, state: 'missing', fix: `These credentials need the right to write in ${namespace}.` };
    }
  }
}

async function ensureNamespace(client: Client, clock: Clock, retentionDays: number): Promise<SetupStep> {
  const { namespace } = client.options;
  const { workflowService } = client.connection;
  const what = `namespace ${namespace}`;
  const call = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    client.withDeadline(clock.now() + CALL_TIMEOUT_MS, work);
  try {
    await call(() => workflowService.describeNamespace({ namespace }));
    return { what, state: 'there' };
  } catch (error) {
    // Without permission to ask, the next calls show whether it exists.
    if (isNotPermitted(error)) return { what, state: 'there' };
    if (grpcCodeOf(error) !== NOT_FOUND) throw error;
  }
  try {
    const workflowExecutionRetentionPeriod = msToTs(retentionDays * DAY_MS);
    await call(() => workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod }));
  } catch (error) {
    if (isNotPermitted(error)) {
      const fix = `temporal operator namespace create --namespace ${namespace} --retention ${retentionDays}d`;
      return {
        what,
        state: 'missing',
        fix: `These credentials may not create it. As an administrator: ${fix}`,
      };
    }
    if (grpcCodeOf(error) !== ALREADY_EXISTS) throw error;
  }
  return { what, state: 'made' };
}

/** Tries again if a reachable server did not answer in time. */
async function onceAnswered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (grpcCodeOf(error) !== DEADLINE_EXCEEDED && !isTemporalBusy(error)) throw error;
    return onceSettled(work);
  }
}
