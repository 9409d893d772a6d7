import type { Client } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { CALL_TIMEOUT_MS } from './client';
import { grpcCodeOf } from './grpc-errors';

const ALREADY_EXISTS = 6;
/** Where the operator API is forbidden or absent, as in Temporal Cloud. */
const NOT_PERMITTED = new Set([7 /* PERMISSION_DENIED */, 12 /* UNIMPLEMENTED */]);

/**
 * Registers missing search attributes. Workflows cannot be started without them.
 *
 * @throws Error when Temporal is unavailable
 */
export async function ensureSearchAttributes(client: Client, clock: Clock, log: Logger): Promise<void> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, async () => {
    try {
      const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
      for (const { name, type } of searchAttributeKeys) {
        const indexed = encodeSearchAttributeIndexedValueType(type);
        if (name in customAttributes || indexed === undefined) continue;
        await operatorService
          .addSearchAttributes({ namespace, searchAttributes: { [name]: indexed } })
          .catch(ignoring(ALREADY_EXISTS));
      }
    } catch (error) {
      if (!NOT_PERMITTED.has(grpcCodeOf(error) ?? 0)) throw error;
      const names = searchAttributeKeys.map(({ name }) => name).join(', ');
      log.warn(`Temporal does not let search attributes be registered: make sure it has ${names} (Keyword)`);
    }
  });
}

/** Another process may register the same attribute first. */
function ignoring(code: number): (error: unknown) => void {
  return (error) => {
    if (grpcCodeOf(error) !== code) throw error;
  };
}
