import { createHmac, randomBytes } from 'node:crypto';

const HOW_MANY = 10;
/** 80 bits, too many to brute-force even with a fast hash. */
const BYTES = 10;
/** Crockford's base 32, which has no characters that are easily confused. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** Generates recovery codes in their displayed form: `7K3M-9QRT-…`, four groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: HOW_MANY }, () => {
    let bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`);
    let code = '';
    for (let at = 0; at < LENGTH; at += 1) {
      code += ALPHABET.charAt(Number(bits & 31n));
      bits >>= 5n;
    }
    return (code.match(/.{4}/g) ?? []).join('-');
  });
}

/** Normalizes a typed code, without its separators; undefined if it cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code) ? code : undefined;
}

/** Hashes a code for storage. Equal codes of two operators have different hashes. */
export function hashRecoveryCode(operatorId: string, code: string): Buffer {
  return createHmac('sha256', operatorId).update(code.replaceAll('-', '')).digest();
}
