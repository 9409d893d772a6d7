import { Secret, TOTP } from 'otpauth';
import type { Instant } from '../domain/instant';

const ISSUER = 'Tollgate';
/** Defaults of authenticator apps; some apps support nothing else. */
const PARAMETERS = { issuer: ISSUER, algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Tolerated clock drift in steps, each way (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** Generates a secret in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the URI that an authenticator app reads from the QR code. */
export function otpauthUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * Returns the time step of a code; null if it is wrong. The comparison runs in constant time.
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
