import type { Schemas, Shape } from './described-route';
import type { Random } from './random';

/** Ids and other texts seen in answers. Requests that use them reach further than those with invented values. */
export type Known = readonly string[];

/** Returns a value that is valid as far as its shape can say: most are accepted. */
export function validValue(random: Random, schemas: Schemas, shape: Shape, known: Known, depth = 0): unknown {
  const again = (one: Shape): unknown => validValue(random, schemas, one, known, depth + 1);
  if (shape.$ref !== undefined) return again(schemas[shape.$ref.split('/').at(-1) ?? ''] ?? {});
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return random.pick(shape.enum);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives !== undefined) return again(random.pick(alternatives) ?? {});
  if (shape.allOf !== undefined) {
    return Object.assign({}, ...shape.allOf.map((one) => again(one))) as unknown;
  }
  const type = Array.isArray(shape.type) ? random.pick(shape.type) : shape.type;
  switch (type) {
    case 'object':
      return object(random, shape, depth, again);
    case 'array':
      return Array.from({ length: random.below(depth > 3 ? 1 : 3) }, () => again(shape.items ?? {}));
    case 'integer':
      return (
        (shape.minimum ?? 0) +
        random.below(Math.min(1_000, (shape.maximum ?? 1_000) - (shape.minimum ?? 0) + 1))
      );
    case 'number':
      return random.below(10_000) / 100;
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return text(random, shape, known);
  }
}

function object(random: Random, shape: Shape, depth: number, again: (one: Shape) => unknown): unknown {
  const members = Object.entries(shape.properties ?? {}).filter(
    ([name]) => shape.required?.includes(name) === true || (depth < 5 && random.chance(0.4)),
  );
  return Object.fromEntries(members.map(([name, one]) => [name, again(one)]));
}

const WORDS = [
  'a',
  'pro',
  'acct_1',
  'requests',
  'Name of it',
  'USD',
  '1.50',
  '0.19',
  'x@example.test',
  'UTC',
] as const;

function text(random: Random, { format, pattern, maxLength }: Shape, known: Known): string {
  if (format === 'date-time')
    return new Date(1_790_000_000_000 + random.below(1_000_000) * 60_000).toISOString();
  if (format === 'email') return `fuzz${random.below(1_000)}@example.test`;
  if (format === 'uri') return 'https://example.test/after';
  if (pattern !== undefined && pattern.includes('[a-z]')) return `key-${random.below(1_000)}`;
  const words = known.length > 0 && random.chance(0.6) ? known : WORDS;
  return (random.pick(words) ?? 'a').slice(0, maxLength ?? 200);
}
