import { z } from 'zod';
import type { Form } from './form';
import { invalid } from './problem';

const INTEGER = /^-?\d{1,12}$/;

/** A whole number in a form. */
export const whole = z
  .string()
  .regex(INTEGER, 'Invalid integer')
  .transform((text) => Number(text));

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const text = z.string().min(1);

export const metadata = z.record(z.string().max(40), z.string().max(500));

/** A list in a form: `{ 0: …, 1: … }`. */
export function list<T extends z.ZodType>(element: T) {
  return z.preprocess(
    (value) => (typeof value === 'object' && value !== null ? Object.values(value) : value),
    z.array(element),
  );
}

export const expand = list(text).optional();

/** Parameters of every list. */
export const paging = { limit: whole.optional(), starting_after: text.optional() };

/** Reads parameters, and refuses unknown ones. @throws Problem like the original's */
export function read<T extends z.ZodType>(schema: T, form: Form): z.output<T> {
  const result = schema.safeParse(toPlain(form));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = nameOf(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  if (issue?.message.includes('received undefined') === true) {
    throw invalid(`Missing required param: ${path}.`, { code: 'parameter_missing', param: path });
  }
  throw invalid(`${issue?.message ?? 'Invalid'}: ${path}`, { code: 'parameter_invalid', param: path });
}

function toPlain(form: Form): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(form).map(([key, value]) => [key, typeof value === 'string' ? value : toPlain(value)]),
  );
}

function nameOf([first = '', ...rest]: readonly PropertyKey[]): string {
  return `${String(first)}${rest.map((part) => `[${String(part)}]`).join('')}`;
}
