import { createHmac, randomBytes } from 'node:crypto';

const HOW_MANY = 10;
/** 80 bits: a fast hash of it cannot be searched. */
const BYTES = 10;
/** Crockford's base 32, which has no letters that are read as others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** New recovery codes, as they are shown: `7K3M-9QRT-…`, four groups of four. */
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

/** A code as somebody typed it, without what separates; undefined for what cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code) ? code : undefined;
}

/** What the table holds of a code: two operators' equal codes differ there. */
export function hashRecoveryCode(operatorId: string, code: string): Buffer {
  return createHmac('sha256', operatorId).update(code.replaceAll('-', '')).digest();
}
