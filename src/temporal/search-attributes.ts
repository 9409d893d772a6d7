import type { Client } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { CALL_TIMEOUT_MS } from './client';
import { grpcCodeOf, INVALID_ARGUMENT, isNotPermitted } from './grpc-errors';

/** A search attribute after `registerSearchAttributes`; `missing` if Temporal does not permit its registration. */
export interface SearchAttributeState {
  name: string;
  state: 'there' | 'registered' | 'missing';
}

/**
 * Registers missing search attributes. Workflows cannot be started without them.
 *
 * @throws Error if Temporal is unavailable
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
 * Registers missing search attributes, and returns the state of each.
 *
 * @throws Error if Temporal is unavailable
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
      const states: SearchAttributeState[] = [];
      // One by one: the caller may close the client after a failure, and a call still retried then ends the process.
      for (const { name } of searchAttributeKeys) states.push(await probe(client, name));
      return states;
    }
  });
}

async function addMissing(client: Client): Promise<SearchAttributeState[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  // A namespace has only ten fields per type, so duplicates may leave none for a missing attribute.
  await freeDoubledFields(client);
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = searchAttributeKeys.filter(({ name }) => !(name in customAttributes));
  const states = searchAttributeKeys.map((key): SearchAttributeState => ({
    name: key.name,
    state: missing.includes(key) ? 'registered' : 'there',
  }));
  if (missing.length === 0) return states;
  // In one call: two processes that register all of them concurrently choose a field in common, so one of them is
  // refused.
  const searchAttributes = Object.fromEntries(
    missing.flatMap(({ name, type }) => {
      const indexed = encodeSearchAttributeIndexedValueType(type);
      return indexed === undefined ? [] : [[name, indexed]];
    }),
  );
  await operatorService.addSearchAttributes({ namespace, searchAttributes });
  await freeDoubledFields(client);
  return states;
}

/**
 * Frees duplicate fields. A server with SQL visibility gives each attribute any free field; processes that register an
 * attribute concurrently give it two, and a search reads either.
 */
async function freeDoubledFields(client: Client): Promise<void> {
  const { namespace } = client.options;
  const { workflowService } = client.connection;
  const { config } = await workflowService.describeNamespace({ namespace });
  const doubled = doubledFields(config?.customSearchAttributeAliases ?? {});
  if (doubled.length === 0) return;
  const customSearchAttributeAliases = Object.fromEntries(doubled.map((field) => [field, '']));
  await workflowService.updateNamespace({ namespace, config: { customSearchAttributeAliases } });
}

/** Returns all fields of each of our attributes except the first, so that every process keeps the same one. */
function doubledFields(aliases: Record<string, string>): string[] {
  return searchAttributeKeys.flatMap(({ name }) =>
    Object.keys(aliases)
      .filter((field) => aliases[field] === name)
      .sort()
      .slice(1),
  );
}

/** Checks an attribute by a query, which is refused if the attribute does not exist. */
async function probe(client: Client, name: string): Promise<SearchAttributeState> {
  try {
    await client.workflow.count(`${name} = 'none'`);
    return { name, state: 'there' };
  } catch (error) {
    if (grpcCodeOf(error) !== INVALID_ARGUMENT && !isNotPermitted(error)) throw error;
    return { name, state: 'missing' };
  }
}
