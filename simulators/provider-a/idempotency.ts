import { createHash } from 'node:crypto';
import type { Context, Next } from 'koa';
import { readBody } from '../core/server';
import type { Account } from './account';
import type { Answer, IdempotencyRecord } from './answer';
import { Problem } from './problem';
import { DAY_MS } from '../../src/domain/instant';

interface Request {
  method: string;
  path: string;
  body: Buffer;
}

const KEPT_MS = DAY_MS;
const KEY_LENGTH = 255;

/**
 * Answers a POST once for each key: the first status and body are repeated for a day, errors (including 402) too. A
 * request refused before anything was done does not use up the key.
 *
 * @throws Problem when the key came with other parameters, or is currently in use
 */
export async function once(
  account: Account,
  key: string,
  request: Request,
  answer: () => Promise<Answer & { executed: boolean }>,
): Promise<Answer & { replayed: boolean }> {
  if (key.length > KEY_LENGTH)
    throw problem(400, `Idempotency keys must be at most ${KEY_LENGTH} characters.`);
  const now = account.core.clock.real();
  const fingerprint = fingerprintOf(request);
  const known = account.idempotency.get(key);
  if (known !== undefined && now - known.at < KEPT_MS) {
    if (known.fingerprint !== fingerprint) {
      throw problem(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    if (known.answer === null) {
      throw problem(
        409,
        `There is currently another in-progress request using this Idempotency Key (${key}).`,
        'idempotency_key_in_use',
      );
    }
    return { ...known.answer, replayed: true };
  }
  const record: IdempotencyRecord = { fingerprint, answer: null, at: now };
  account.idempotency.set(key, record);
  try {
    const { executed, ...reply } = await answer();
    if (executed) record.answer = reply;
    return { ...reply, replayed: false };
  } finally {
    if (record.answer === null) account.idempotency.delete(key);
  }
}

/**
 * Stores an internal failure of the original under the key like any other answer: sending again with the same key
 * returns the same 500, and does nothing.
 */
export async function keepFailure(
  ctx: Context,
  next: Next,
  accountOf: (authorization: string) => Account | undefined,
): Promise<void> {
  await next();
  const key = ctx.get('Idempotency-Key');
  const account = accountOf(ctx.get('Authorization'));
  if (ctx.status !== 500 || ctx.method !== 'POST' || key === '' || account === undefined) return;
  if (account.idempotency.has(key)) return;
  const { method, path } = ctx;
  const fingerprint = fingerprintOf({ method, path, body: await readBody(ctx) });
  const answer = { status: ctx.status, body: ctx.body };
  account.idempotency.set(key, { fingerprint, answer, at: account.core.clock.real() });
}

function fingerprintOf({ method, path, body }: Request): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex');
}

function problem(status: number, message: string, code?: string): Problem {
  return new Problem(
    status,
    { type: 'idempotency_error', message, ...(code === undefined ? {} : { code }) },
    false,
  );
}
