import { z } from 'zod';
import { parseInput } from '../../src/http/input';
import { instantInput } from '../../src/schemas/instant';
import { amountInput } from '../../src/schemas/money';

const line = z.strictObject({ feature: z.string(), quantity: z.number() });
const schema = z.strictObject({
  externalId: z.string(),
  lines: z.array(line).min(1).optional(),
  metadata: z.record(z.string(), line).default({}),
});

interface Finding {
  pointer: string;
  message: string;
  fix: string;
}

/** Returns what is wrong with a value; nothing if it is accepted. */
function findingsOf(of: z.ZodType, value: unknown): Finding[] {
  try {
    parseInput(of, value, 'body');
    return [];
  } catch (error) {
    return (error as { errors: Finding[] }).errors;
  }
}

/** Returns what the refusal tells to do, by pointer. */
function fixesOf(value: unknown): Record<string, string> {
  return Object.fromEntries(findingsOf(schema, value).map(({ pointer, fix }) => [pointer, fix]));
}

function problemsOf(of: z.ZodType, value: unknown): string[] {
  return findingsOf(of, value).map(({ pointer, message, fix }) => `${pointer} ${message}. ${fix}`);
}

describe('a member that the request does not have', () => {
  it('is answered with the names that it has', () => {
    expect(fixesOf({ externalId: 'acme', external_id: 'acme' })).toEqual({
      '/external_id': 'Remove it, or correct its name to one of: externalId, lines, metadata.',
    });
  });

  it('is answered with the names of its own object', () => {
    expect(fixesOf({ externalId: 'acme', lines: [{ feature: 'seats', quantity: 1, qty: 1 }] })).toEqual({
      '/lines/0/qty': 'Remove it, or correct its name to one of: feature, quantity.',
    });
  });

  it('is answered without names in an object whose names are free', () => {
    const metadata = { first: { feature: 'seats', quantity: 1, qty: 1 } };
    expect(fixesOf({ externalId: 'acme', metadata })).toEqual({
      '/metadata/first/qty': 'Remove it, or correct its name.',
    });
  });
});

it('a limit is stated in words that follow the name of what is wrong', () => {
  const limits = z.strictObject({
    name: z.string().min(1).max(2),
    code: z.string().min(3),
    names: z.array(z.string()).max(1),
    days: z.int().min(1).max(30),
    amount: z.number().positive(),
  });
  expect(problemsOf(limits, { name: '', code: 'ab', names: ['a', 'b'], days: 0, amount: 0 })).toEqual([
    '/name is empty. Send at least 1 character.',
    '/code has fewer than 3 characters. Send at least 3 characters.',
    '/names has more than 1 element. Send at most 1 element.',
    '/days is less than 1. Send at least 1.',
    '/amount is not more than 0. Send more than 0.',
  ]);
  expect(problemsOf(limits, { name: 'abc', code: 'abc', names: [], days: 31, amount: 1 })).toEqual([
    '/name has more than 2 characters. Send at most 2 characters.',
    '/days is more than 30. Send at most 30.',
  ]);
});

it('a type is named as JSON has it, and a choice with its values, in words that follow the name of what is wrong', () => {
  const types = z.strictObject({
    name: z.string().nullable(),
    amount: z.number(),
    seats: z.int(),
    on: z.boolean(),
    names: z.array(z.string()),
    nested: z.strictObject({}),
    labels: z.record(z.string(), z.string()),
    interval: z.enum(['month', 'year']),
    time: z.string({ error: 'is not a time' }),
  });
  const value = {
    name: 1,
    seats: 1.5,
    on: 'yes',
    names: {},
    nested: [],
    labels: [],
    interval: 'day',
    time: 1,
  };
  expect(problemsOf(types, { ...value, amount: Infinity })).toEqual([
    '/name is not a string. Send a string.',
    '/amount is not a finite number. Send a finite number.',
    '/seats is not an integer. Send an integer.',
    '/on is not true or false. Send true or false.',
    '/names is not an array. Send an array.',
    '/nested is not a JSON object. Send a JSON object.',
    '/labels is not a JSON object. Send a JSON object.',
    '/interval is not one of month, year. Send one of: month, year.',
    '/time is not a time. Send a string.',
  ]);
});

it('a value of the wrong type is answered with an example of the right one, an object with its fields', () => {
  const payment = z.strictObject({ amount: amountInput.optional(), at: instantInput });
  expect(problemsOf(payment, { amount: 5800, at: 1_764_547_200 })).toEqual([
    '/amount is not a JSON object. Send a JSON object of: amount, currency.',
    '/at is not an ISO 8601 time with Z or an offset. Send a string such as "2026-01-31T00:00:00Z".',
  ]);
  expect(
    problemsOf(payment, { amount: { amount: 9.99, currency: 'USD' }, at: '2026-01-31T00:00:00Z' }),
  ).toEqual(['/amount/amount is not a string. Send a string such as "1451".']);
});

it('a value that is not there is missing, whatever message its schema has for a wrong one', () => {
  const times = z.strictObject({ from: instantInput, to: instantInput.refine((to) => to > 0) });
  const nested = z.strictObject({ at: times, interval: z.enum(['month', 'year']), name: z.string() });
  expect(problemsOf(nested, { at: { from: 'yesterday' } })).toEqual([
    '/at/from is not an ISO 8601 time with Z or an offset. Send a value such as "2026-01-31T00:00:00Z".',
    '/at/to is missing. Send a string such as "2026-01-31T00:00:00Z".',
    '/interval is missing. Send one of: month, year.',
    '/name is missing. Send a string.',
  ]);
  expect(problemsOf(nested, undefined)).toEqual([' is missing. Send a JSON object.']);
});

it('a name that an object may not have is said to be what is wrong', () => {
  const labels = z.record(z.string().min(1).max(2), z.string());
  expect(problemsOf(labels, { abc: 'x', '': 'x', ab: 'x' })).toEqual([
    '/abc has a name that has more than 2 characters. Give it another name.',
    '/ has a name that is empty. Give it another name.',
  ]);
});
