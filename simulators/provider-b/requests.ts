import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { NamedCall } from '../core/named-call';
import { readBody } from '../core/server';
import { invalidRequest, ProviderProblem, unprocessable, type ProblemDetail } from './problem';
import type { Account, Simulation } from './state';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';

/** How long provider B keeps a request id. */
export const REQUEST_ID_LIVES = { order: 6 * HOUR_MS, refund: 45 * DAY_MS, subscription: 3 * DAY_MS };

export interface JsonRequest<T> {
  body: T;
  raw: Buffer;
}

/**
 * Reads a request's JSON body. Unknown members are refused, so that a misspelt one is noticed.
 * @param absent the value of a missing body, where that is allowed
 * @throws ProviderProblem INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE
 */
export async function readRequest<T>(
  ctx: Context,
  shape: z.ZodType<T>,
  absent?: unknown,
): Promise<JsonRequest<T>> {
  if (!ctx.is('application/json')) {
    throw new ProviderProblem(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'The server does not support the request payload’s media type.',
    );
  }
  const raw = await readBody(ctx);
  const value = raw.length === 0 && absent !== undefined ? absent : jsonOf(raw);
  const read = shape.safeParse(value, { reportInput: true });
  if (read.success) return { body: read.data, raw };
  throw invalidRequest(read.error.issues.map(detailOf));
}

function jsonOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw invalidRequest([
      { issue: 'MALFORMED_REQUEST_JSON', description: 'The request JSON is not well formed.' },
    ]);
  }
}

function detailOf(issue: z.core.$ZodIssue): ProblemDetail {
  const name =
    issue.code === 'unrecognized_keys'
      ? 'UNKNOWN_PARAMETER'
      : issue.code === 'invalid_type' && issue.input === undefined
        ? 'MISSING_REQUIRED_PARAMETER'
        : 'INVALID_PARAMETER_SYNTAX';
  return { field: `/${issue.path.join('/')}`, location: 'body', issue: name, description: issue.message };
}

/**
 * Performs a request once for its `PayPal-Request-Id`. A repeated id returns the current state of the first result,
 * with 200; with another request it is refused. A failed request does not use up the id.
 *
 * @param make does the work, and returns how to render the result
 */
export function onceForRequestId(
  { core }: Simulation,
  account: Account,
  ctx: Context,
  { raw, life }: { raw: Buffer; life: number },
  make: () => NamedCall<unknown>,
): { status: number; body: unknown } {
  const requestId = ctx.get('PayPal-Request-Id');
  if (requestId === '') return { status: 201, body: make().perform() };
  if (requestId.length > 108) {
    throw invalidRequest([
      {
        field: 'PayPal-Request-Id',
        location: 'header',
        issue: 'INVALID_STRING_LENGTH',
        description: 'Too long.',
      },
    ]);
  }
  const now = core.clock.real();
  const fingerprint = createHash('sha256').update(`${ctx.path}\n`).update(raw).digest('hex');
  const earlier = account.requests.get(requestId);
  if (earlier !== undefined && earlier.until > now) {
    if (earlier.fingerprint !== fingerprint) {
      throw unprocessable(
        'DUPLICATE_REQUEST_ID',
        'The value of PayPal-Request-Id header has already been used.',
      );
    }
    return { status: 200, body: earlier.render.perform() };
  }
  const render = make();
  account.requests.set(requestId, { fingerprint, until: now + life, render });
  return { status: 201, body: render.perform() };
}

/** Returns whether the caller asks for the whole object instead of the minimal one. */
export function wantsRepresentation(ctx: Context): boolean {
  return ctx.get('Prefer').replaceAll(' ', '') === 'return=representation';
}
