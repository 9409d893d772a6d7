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
