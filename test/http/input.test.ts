import { z } from 'zod';
import { parseInput } from '../../src/http/input';

const line = z.strictObject({ feature: z.string(), quantity: z.number() });
const schema = z.strictObject({
  externalId: z.string(),
  lines: z.array(line).min(1).optional(),
  metadata: z.record(z.string(), line).default({}),
});

/** @returns what the refusal tells to do, by pointer */
function fixesOf(value: unknown): Record<string, string> {
  try {
    parseInput(schema, value, 'body');
    return {};
  } catch (error) {
    const { errors } = error as { errors: { pointer: string; fix: string }[] };
    return Object.fromEntries(errors.map(({ pointer, fix }) => [pointer, fix]));
  }
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
  const problemsOf = (value: unknown): string[] => {
    try {
      parseInput(limits, value, 'body');
      return [];
    } catch (error) {
      const { errors } = error as { errors: { pointer: string; message: string; fix: string }[] };
      return errors.map(({ pointer, message, fix }) => `${pointer} ${message}. ${fix}`);
    }
  };
  expect(problemsOf({ name: '', code: 'ab', names: ['a', 'b'], days: 0, amount: 0 })).toEqual([
    '/name is empty. Send at least 1 character.',
    '/code has fewer than 3 characters. Send at least 3 characters.',
    '/names has more than 1 element. Send at most 1 element.',
    '/days is less than 1. Send at least 1.',
    '/amount is not more than 0. Send more than 0.',
  ]);
  expect(problemsOf({ name: 'abc', code: 'abc', names: [], days: 31, amount: 1 })).toEqual([
    '/name has more than 2 characters. Send at most 2 characters.',
    '/days is more than 30. Send at most 30.',
  ]);
});
