import type { Client } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { CALL_TIMEOUT_MS } from './client';
import { ALREADY_EXISTS, grpcCodeOf, INVALID_ARGUMENT, isNotPermitted } from './grpc-errors';

/** A search attribute after `registerSearchAttributes`; `missing` where Temporal does not let it be registered. */
export interface SearchAttributeState {
  name: string;
  state: 'there' | 'registered' | 'missing';
}

/**
 * Registers missing search attributes. Workflows cannot be started without them.
 *
 * @throws Error when Temporal is unavailable
 */
export async function ensureSearchAttributes(client: Client, clock: Clock, log: Logger): Promise<void> {
  const states = await registerSearchAttributes(client, clock);
  const missing = states.filter(({ state }) => state === 'missing').map(({ name }) => name);
  if (missing.length === 0) return;
  log.warn(
    `Temporal has no search attributes ${missing.join(', ')} (Keyword) and does not let them be registered: no workflow starts without them`,
  );
}

/**
 * Registers missing search attributes, and says of each whether it is there.
 *
 * @throws Error when Temporal is unavailable
 */
export async function registerSearchAttributes(
  client: Client,
  clock: Clock,
): Promise<SearchAttributeState[]> {
  return client.withDeadline(clock.now() + CALL_TIMEOUT_MS, async () => {
    try {
      return await addMissing(client);
    } catch (error) {
      // The operator API is forbidden or absent, as in Temporal Cloud.
      if (!isNotPermitted(error)) throw error;
      return Promise.all(searchAttributeKeys.map(({ name }) => probe(client, name)));
    }
  });
}

async function addMissing(client: Client): Promise<SearchAttributeState[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const states: SearchAttributeState[] = [];
  for (const { name, type } of searchAttributeKeys) {
    const isThere = name in customAttributes;
    states.push({ name, state: isThere ? 'there' : 'registered' });
    const indexed = encodeSearchAttributeIndexedValueType(type);
    if (isThere || indexed === undefined) continue;
    await operatorService
      .addSearchAttributes({ namespace, searchAttributes: { [name]: indexed } })
      .catch((error: unknown) => {
        // Another process may register the same attribute first.
        if (grpcCodeOf(error) !== ALREADY_EXISTS) throw error;
      });
  }
  return states;
}

/** A query by an attribute that is not there is refused. */
async function probe(client: Client, name: string): Promise<SearchAttributeState> {
  try {
    await client.workflow.count(`${name} = 'none'`);
    return { name, state: 'there' };
  } catch (error) {
    if (grpcCodeOf(error) !== INVALID_ARGUMENT && !isNotPermitted(error)) throw error;
    return { name, state: 'missing' };
  }
}
