import type { z } from 'zod';
import { MAX_FIELD_PROBLEMS, TollgateError, type FieldProblem } from '../domain/errors';
import { acceptedMembers, exampleAt } from './schema-at';
import { pointerOf } from './json-pointer';

type Part = 'body' | 'query' | 'path';

/**
 * Parses one part of a request with its schema.
 *
 * @throws TollgateError validation_failed with a JSON pointer for each finding, at most `MAX_FIELD_PROBLEMS` of them
 *   (query and path findings point into `/query` and `/path`); take_invalid for `take`
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, part: Part): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusalOf(schema, value, result.error.issues, part);
}

function refusalOf(
  schema: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  part: Part,
): TollgateError {
  const errors: FieldProblem[] = [];
  let more = false;
  for (const finding of findingsIn(schema, value, issues, part)) {
    more = errors.length === MAX_FIELD_PROBLEMS;
    if (more) break;
    errors.push(finding);
  }
  // Only if the route has this parameter.
  const isTaken = issues.every(({ code }) => code !== 'unrecognized_keys');
  if (part === 'query' && isTaken && errors.every((finding) => finding.pointer === '/query/take')) {
    return new TollgateError('take_invalid', 'take is not an integer from 1 to 200.', { errors });
  }
  const first = errors[0];
  const what =
    first === undefined ? 'The request is not valid.' : `${first.pointer || 'The body'}: ${first.message}`;
  const detail = more ? `${what} (Only the first ${MAX_FIELD_PROBLEMS} errors are listed.)` : what;
  return new TollgateError('validation_failed', detail, { errors });
}

/** Yields them one by one, so that no more are built than are sent. */
function* findingsIn(
  schema: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  part: Part,
): Generator<FieldProblem> {
  const root = part === 'body' ? '' : `/${part}`;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      const accepted = acceptedMembers(schema, issue.path);
      const fix =
        accepted.length === 0
          ? 'Remove it, or correct its name.'
          : `Remove it, or correct its name to one of: ${accepted.join(', ')}.`;
      for (const key of issue.keys) {
        const pointer = pointerOf([...issue.path, key], root);
        yield { pointer, message: 'is not a field of this request', fix };
      }
    } else {
      const message = isOfMissing(issue, value) ? 'is missing' : messageOf(issue);
      yield { pointer: pointerOf(issue.path, root), message, fix: fixOf(issue, schema) };
    }
  }
}

/** Whether the issue is about a value that is not there: JSON and queries have no undefined. */
function isOfMissing({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  return (code === 'invalid_type' || code === 'invalid_value') && valueAt(path, value) === undefined;
}

function valueAt(path: readonly PropertyKey[], value: unknown): unknown {
  return path.reduce<unknown>(
    (inside, name) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, name) : undefined),
    value,
  );
}

/** How the messages begin that zod gives if a schema has none of its own. */
const OF_ZOD = /^Invalid (?:input|option): expected /;

/** Returns the issue's message, which follows the name of what is wrong. */
function messageOf(issue: z.core.$ZodIssue): string {
  const isOwn = !OF_ZOD.test(issue.message);
  switch (issue.code) {
    case 'invalid_type':
      return isOwn ? issue.message : `is not ${typeInWords(issue)}`;
    case 'invalid_value':
      return isOwn ? issue.message : `is not one of ${listOf(issue)}`;
    case 'too_small':
    case 'too_big':
      return limitInWords(issue);
    case 'invalid_key':
      return `has a name that ${issue.issues.map(messageOf).join(' and ')}`;
    default:
      return issue.message;
  }
}

/** Returns the expected type as JSON has it: zod also names records and integers. */
function typeInWords({ expected, message }: z.core.$ZodIssueInvalidType): string {
  if (message.endsWith('received Infinity')) return 'a finite number';
  switch (expected) {
    case 'object':
    case 'record':
      return 'a JSON object';
    case 'array':
      return 'an array';
    case 'int':
      return 'an integer';
    case 'boolean':
      return 'true or false';
    default:
      return `a ${expected}`;
  }
}

function listOf({ values }: z.core.$ZodIssueInvalidValue): string {
  return values.map(String).join(', ');
}

function limitInWords(issue: LimitIssue): string {
  const limit = limitOf(issue);
  const isCounted = unitOf(issue) !== undefined;
  if (issue.code === 'too_big') return isCounted ? `has more than ${limit}` : `is more than ${limit}`;
  if (isCounted) return issue.minimum === 1 ? 'is empty' : `has fewer than ${limit}`;
  return issue.inclusive === false ? `is not more than ${limit}` : `is less than ${limit}`;
}

type LimitIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

/** Returns the limit in words: `200 characters`, `3 elements`, `1000000`. */
function limitOf(issue: LimitIssue): string {
  const count = String(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  const unit = unitOf(issue);
  return unit === undefined ? count : `${count} ${unit}${count === '1' ? '' : 's'}`;
}

function unitOf({ origin }: LimitIssue): string | undefined {
  return { string: 'character', array: 'element' }[origin as string];
}

const AS_DESCRIBED = 'Send a value as the API reference describes it.';

/** Returns the example that the schema gives, after a noun; '' if it gives none. */
function suchAs(schema: z.ZodType, path: readonly PropertyKey[]): string {
  const example = exampleAt(schema, path);
  return example === undefined ? '' : ` such as ${JSON.stringify(example)}`;
}

/** Returns what a value of the right type contains: an object's fields, or an example; '' if the schema says neither. */
function detailOfType(schema: z.ZodType, path: readonly PropertyKey[]): string {
  const example = suchAs(schema, path);
  if (example !== '') return example;
  const members = path.length === 0 ? [] : acceptedMembers(schema, path);
  return members.length === 0 ? '' : ` of: ${members.join(', ')}`;
}

/** Returns what the issue says to do. A `refine` of ours has it in `params.fix`, next to its rule. */
function fixOf(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Send ${typeInWords(issue)}${detailOfType(schema, issue.path)}.`;
    case 'too_small':
      return `Send ${issue.inclusive === false ? 'more than' : 'at least'} ${limitOf(issue)}.`;
    case 'too_big':
      return `Send at most ${limitOf(issue)}.`;
    case 'invalid_value':
      return `Send one of: ${listOf(issue)}.`;
    case 'invalid_key':
      return 'Give it another name.';
    case 'invalid_union':
      return 'Send one of these.';
    case 'custom':
      return typeof issue.params?.['fix'] === 'string' ? issue.params['fix'] : AS_DESCRIBED;
    default: {
      const example = suchAs(schema, issue.path);
      return example === '' ? AS_DESCRIBED : `Send a value${example}.`;
    }
  }
}
