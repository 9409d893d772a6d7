import { createHash, randomBytes } from 'node:crypto';

/** A new opaque session id: 256 random bits, base64url. It stands in the cookie and nowhere else. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the table holds of a token: a fast hash is right for 256 bits of entropy. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
