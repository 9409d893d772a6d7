import { hash, verify } from '@node-rs/argon2';
import { TollgateError } from '../domain/errors';
import { KeyedCounts } from '../domain/keyed-counts';
import { lowerCase } from '../domain/letter-case';

/** argon2id (the library's default algorithm) with OWASP's first choice: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password for storage: the argon2id text form, with its own salt.
 *
 * @param email of the account
 * @throws TollgateError service_busy
 */
export async function hashPassword(email: string, password: string): Promise<string> {
  // Who sets a password has proved something else: a session, or a link.
  return inTurn({ email, isKnown: true }, () => hash(normalize(password), PARAMETERS));
}

/** Whose password is compared. */
interface Claim {
  /** Of the account, known or not. */
  email: string;
  /** Whether a browser that has logged in to the account before, or a session of it, sends the password. */
  isKnown: boolean;
}

/** A hash with our parameters that matches no password, used for the comparison if there is no account. */
const DECOY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${zeros(16)}$${zeros(32)}`;

/**
 * Compares a password with the stored hash.
 *
 * @param stored null for an unknown account: the same work is done, so that the timing reveals nothing
 * @throws TollgateError service_busy
 */
export async function verifyPassword(
  claim: Claim,
  stored: string | null,
  password: string,
): Promise<boolean> {
  const matches = await inTurn(claim, () => verify(stored ?? DECOY, normalize(password)));
  return stored !== null && matches;
}

/**
 * Concurrent hashes. Each takes a core and 19 MiB, and one of the threads that are also used for files and name
 * look-ups.
 */
const AT_ONCE = 2;
const MAX_WAITING = 200;
/**
 * Maximum number of passwords of one account at a time. Right passwords are not throttled, so someone who has one could
 * otherwise take all places from two or three addresses.
 */
const MAX_OF_ACCOUNT = 50;
/** How many of these are kept for the known: strangers who have the password could otherwise take all of them. */
const KEPT_FOR_KNOWN = 10;
const waiting: (() => void)[] = [];
let underWay = 0;
const ofAccounts = new KeyedCounts();

/** @throws TollgateError service_busy if too many are waiting already */
async function inTurn<Result>({ email, isKnown }: Claim, work: () => Promise<Result>): Promise<Result> {
  const account = lowerCase(email);
  if (ofAccounts.of(account) >= MAX_OF_ACCOUNT - (isKnown ? 0 : KEPT_FOR_KNOWN)) throw tooMany();
  if (underWay >= AT_ONCE && waiting.length >= MAX_WAITING) throw tooMany();
  ofAccounts.add(account, 1);
  if (underWay < AT_ONCE) underWay += 1;
  else await new Promise<void>((turn) => waiting.push(turn));
  try {
    return await work();
  } finally {
    ofAccounts.add(account, -1);
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
}

function tooMany(): TollgateError {
  return new TollgateError('service_busy', 'Too many passwords are being compared.', { retryAfter: 5 });
}

/**
 * Normalizes to NFKC, because the same letters may be composed differently by different keyboards (NIST SP 800-63B).
 */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

function zeros(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64').replaceAll('=', '');
}
