import { Secret, TOTP } from 'otpauth';
import type { Instant } from '../domain/instant';

const ISSUER = 'Tollgate';
/** What authenticator apps assume, and some of them know nothing else. */
const PARAMETERS = { issuer: ISSUER, algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps of drift between the clocks, each way (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** A new secret, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator app reads from the QR code. */
export function otpauthUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * The time step that a code is of; null for a wrong one. The comparison takes the same time for each code.
 *
 * @param code six digits
 */
export function stepOfCode(secret: string, code: string, now: Instant): number | null {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ ...PARAMETERS, label, secret: Secret.fromBase32(secret) });
}
