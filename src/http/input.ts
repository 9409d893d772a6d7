import type { z } from 'zod';
import { TollgateError } from '../domain/errors';

type Part = 'body' | 'query' | 'path';

/**
 * Parses one part of a request with its schema.
 *
 * @throws TollgateError validation_failed with a JSON pointer for each finding (query and path findings point
 *   into `/query` and `/path`); take_invalid for `take`
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, part: Part): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => findingsOf(issue, part));
  if (part === 'query' && errors.every((finding) => finding.pointer === '/query/take')) {
    throw new TollgateError('take_invalid', 'take is not an integer from 1 to 200.', { errors });
  }
  const first = errors[0];
  throw new TollgateError(
    'validation_failed',
    first === undefined ? 'The request is not valid.' : `${first.pointer || 'The body'}: ${first.message}`,
    { errors },
  );
}

function findingsOf(
  issue: z.core.$ZodIssue,
  part: Part,
): { pointer: string; message: string; fix: string }[] {
  const prefix = part === 'body' ? '' : `/${part}`;
  const pointer =
    prefix +
    issue.path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: 'is not a field of this request',
      fix: 'Remove it, or correct its name.',
    }));
  }
  return [{ pointer, message: issue.message, fix: fixOf(issue) }];
}

function fixOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Send ${issue.expected === 'object' ? 'a JSON object' : `a value of type ${issue.expected}`}.`;
    case 'too_small':
      return `Send at least ${String(issue.minimum)}${issue.inclusive === false ? ' (exclusive)' : ''}.`;
    case 'too_big':
      return `Send at most ${String(issue.maximum)}.`;
    case 'invalid_value':
      return `Send one of: ${issue.values.map(String).join(', ')}.`;
    default:
      return 'Send a value as the API reference describes it.';
  }
}
