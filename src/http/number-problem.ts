import { isSafeNumber } from 'lossless-json';

/** Characters of one number: more than a double ever needs. */
const LONGEST = 64;
/** A run of this many digits (with at most one point) may exceed a double's precision. */
const MANY_DIGITS = /[\d.]{16,}/;

/** Returns why a JSON number, as sent, cannot be read without loss; null if it can. */
export function numberProblem(source: string): string | null {
  if (source.length > LONGEST) {
    return `is a number of ${source.length} characters, more than the ${LONGEST} that one may have`;
  }
  if (MANY_DIGITS.test(source) && !isSafeNumber(source)) {
    return `is ${source}, which has more digits than a JSON number carries exactly`;
  }
  if (Number(source) === 0 && /^[^eE]*[1-9]/.test(source)) {
    return `is ${source}, which is so small that it would be read as 0`;
  }
  return null;
}
