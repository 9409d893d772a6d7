import { createHash, randomBytes } from 'node:crypto';

/** Generates an opaque session id: 256 random bits, base64url. It is kept only in the cookie. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** 32 bytes of base64url. Any other text is not looked up. */
const TOKEN = /^[\w-]{43}$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Hashes a token for storage. A fast hash is sufficient for 256 bits of entropy. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
