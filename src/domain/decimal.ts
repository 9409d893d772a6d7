/**
 * Exact fixed-point number for quantities and credits: a bigint scaled by 10^12. Quantities and costs have at most six
 * decimals, so a product of the two always fits without rounding.
 */
export type Decimal = bigint;

const SCALE_DIGITS = 12;
const SCALE = 10n ** BigInt(SCALE_DIGITS);

/** No NUMERIC of this service and no JS number prints longer; parsing longer text would only waste time. */
const MAX_TEXT_LENGTH = 400;
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const INTEGER_TEXT = /^-?\d+$/;

/**
 * Parses plain decimal text as Postgres prints NUMERIC (`12.500000`), or the exponent form of JS numbers (`1e-7`).
 * @throws RangeError when the text is not a decimal number or has more than twelve significant decimals.
 */
export function parseDecimal(text: string): Decimal {
  if (text.length > MAX_TEXT_LENGTH) throw new RangeError('A decimal number is too long.');
  if (INTEGER_TEXT.test(text)) return BigInt(text) * SCALE;
  const match = DECIMAL_TEXT.exec(text);
  if (match === null) throw new RangeError(`Not a decimal number: ${JSON.stringify(text)}.`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const magnitude = scaleDigits(whole + fraction, SCALE_DIGITS - fraction.length + Number(exponent), text);
  return sign === '-' ? -magnitude : magnitude;
}

/** Returns `digits` x 10^`shift`; the digits that a negative shift drops must be zeros. */
function scaleDigits(digits: string, shift: number, text: string): bigint {
  if (shift >= 0) return BigInt(digits + '0'.repeat(shift));
  const kept = digits.length + shift;
  const dropped = digits.slice(Math.max(0, kept));
  if (/[1-9]/.test(dropped)) {
    throw new RangeError(`More than ${SCALE_DIGITS} decimals: ${JSON.stringify(text)}.`);
  }
  return kept > 0 ? BigInt(digits.slice(0, kept)) : 0n;
}

/**
 * Converts a number via its shortest decimal representation, so that 0.1 is exactly 0.1.
 * @throws RangeError when it is not finite or has more than twelve decimals.
 */
export function decimalFromNumber(n: number): Decimal {
  return Number.isSafeInteger(n) ? BigInt(n) * SCALE : parseDecimal(String(n));
}

/** Returns canonical decimal text: no exponent, no trailing zeros, no negative zero. */
export function formatDecimal(d: Decimal): string {
  const magnitude = d < 0n ? -d : d;
  const sign = d < 0n ? '-' : '';
  const fraction = magnitude % SCALE;
  const whole = `${sign}${(magnitude / SCALE).toString()}`;
  if (fraction === 0n) return whole;
  return `${whole}.${fraction.toString().padStart(SCALE_DIGITS, '0').replace(/0+$/, '')}`;
}

/** Returns the double nearest to the decimal's text; exact up to fifteen significant digits. */
export function decimalToNumber(d: Decimal): number {
  return d % SCALE === 0n ? Number(d / SCALE) : Number(formatDecimal(d));
}

/** Returns the product: exact if the factors have six decimals each, otherwise rounded towards minus infinity. */
export function multiplyDecimal(a: Decimal, b: Decimal): Decimal {
  return floorDivide(a * b, SCALE);
}

/**
 * Returns the quotient `a / b`, rounded towards minus infinity to `decimals` (0 to 12) decimals.
 * @throws RangeError when `b` is zero or `decimals` is out of range.
 */
export function divideDown(a: Decimal, b: Decimal, decimals: number): Decimal {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > SCALE_DIGITS) {
    throw new RangeError(`Decimals must be between 0 and ${SCALE_DIGITS}.`);
  }
  if (b === 0n) throw new RangeError('Division by zero.');
  return floorDivide(a * 10n ** BigInt(decimals), b) * 10n ** BigInt(SCALE_DIGITS - decimals);
}

/** Returns the number of decimals in the canonical text, 0 to 12. */
export function decimalPlaces(d: Decimal): number {
  let places = SCALE_DIGITS;
  let rest = d % SCALE;
  if (rest === 0n) return 0;
  while (rest % 10n === 0n) {
    rest /= 10n;
    places -= 1;
  }
  return places;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
