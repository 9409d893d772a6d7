import { hash, verify } from '@node-rs/argon2';
import { TollgateError } from '../domain/errors';

/** argon2id (the library's default algorithm) at OWASP's first choice: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A password's length in characters. Length is what makes a password strong, so nothing else is asked. */
export const PASSWORD_MIN = 12;
/** Bounds the hashing work of an unauthenticated request. */
export const PASSWORD_MAX = 200;

/** What is stored of a password: the argon2id text form, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalize(password), PARAMETERS));
}

/** A hash with our parameters that no password has, to be compared with when there is no account. */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${zeros(16)}$${zeros(32)}`;

/**
 * Compares a password with what is stored.
 *
 * @param stored null for an unknown account: the same work is done, so that the time tells nothing
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? DECOY, normalize(password)));
  return stored !== null && matches;
}

/** Each takes a core and 19 MiB for its time, and a thread that files and names are read with, too. */
const AT_ONCE = 2;
const MOST_WAITING = 200;
const waiting: (() => void)[] = [];
let underWay = 0;

/** @throws TollgateError service_busy when too many wait already */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay < AT_ONCE) {
    underWay += 1;
  } else {
    if (waiting.length >= MOST_WAITING) {
      throw new TollgateError('service_busy', 'Too many passwords are being compared.', { retryAfter: 5 });
    }
    await new Promise<void>((turn) => waiting.push(turn));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
}

/** The same letters typed on two keyboards may differ in composition; NFKC makes them one (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

function zeros(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64').replaceAll('=', '');
}
