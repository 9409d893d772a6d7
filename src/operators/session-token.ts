import { createHash, randomBytes } from 'node:crypto';

/** A new opaque session id: 256 random bits, base64url. It stands in the cookie and nowhere else. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** 32 bytes of base64url; anything else is not asked of the database. */
const TOKEN = /^[\w-]{43}$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What the table holds of a token: a fast hash is right for 256 bits of entropy. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
