import { createHash } from 'node:crypto';
import type { Account } from './account';
import type { Answer, IdempotencyRecord } from './answer';
import { Problem } from './problem';

const KEPT_MS = 24 * 3_600_000;
const KEY_LENGTH = 255;

/**
 * Answers a POST once for each key: the first status and body are given again, errors (402 too) included, for a day.
 * What was refused before anything was done does not use the key up.
 *
 * @throws Problem when the key came with other parameters, or is in use this moment
 */
export async function once(
  account: Account,
  key: string,
  request: { method: string; path: string; body: Buffer },
  answer: () => Promise<Answer & { executed: boolean }>,
): Promise<Answer & { replayed: boolean }> {
  if (key.length > KEY_LENGTH)
    throw problem(400, `Idempotency keys must be at most ${KEY_LENGTH} characters.`);
  const now = account.core.clock.real();
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.path}\n`)
    .update(request.body)
    .digest('hex');
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
    const { executed, ...given } = await answer();
    if (executed) record.answer = given;
    return { ...given, replayed: false };
  } finally {
    if (record.answer === null) account.idempotency.delete(key);
  }
}

function problem(status: number, message: string, code?: string): Problem {
  return new Problem(
    status,
    { type: 'idempotency_error', message, ...(code === undefined ? {} : { code }) },
    false,
  );
}
