import type { z } from 'zod';
import type { Account } from './account';
import type { Form } from './form';
import { read } from './parameters';
import { render } from './render';

export interface EndpointCall<T> {
  account: Account;
  wanted: T;
  id: string;
  /** Address of this simulator, for the addresses it returns. */
  origin: string;
}

/** One operation of the API. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  pattern: RegExp;
  /** @throws Problem */
  answer(account: Account, form: Form, id: string, origin: string): unknown;
}

/**
 * Creates an operation with its parameters; parameters that are not in the schema are refused.
 *
 * @param path with `:id` where an object is named
 */
export function endpoint<T extends z.ZodType<{ expand?: string[] | undefined }>>(
  method: Endpoint['method'],
  path: string,
  schema: T,
  work: (call: EndpointCall<z.output<T>>) => unknown,
): Endpoint {
  return {
    method,
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    answer: (account, form, id, origin) => {
      const wanted = read(schema, form);
      return render(account, work({ account, wanted, id, origin }), wanted.expand);
    },
  };
}
