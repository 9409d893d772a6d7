/** Value of a number field: the number, or the typed text if it is not one. Empty is ''. */
export type TypedNumber = number | string;

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** Reads typed text without guessing: `1.234,56`, `1e5` and numbers that cannot be held exactly stay text. */
export function readNumber(text: string): TypedNumber {
  const word = text.trim();
  return PLAIN.test(word) && isExact(word) ? Number(word) : word;
}

/** Returns whether the number keeps every typed digit. */
function isExact(word: string): boolean {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(word) ?? [];
  const plain = `${minus}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  return String(Number(word)) === plain || Number(word) === 0;
}

/** Maximum number of units or credits that the API accepts at once. */
export const MAX_UNITS = 1e12;

interface NumberRule {
  min?: number;
  max?: number;
  /** No decimals. */
  whole?: boolean;
  /** May be empty. */
  optional?: boolean;
}

/** Maximum number of decimals of a number that the API accepts. */
const MAX_DECIMALS = 6;

/** Returns what is wrong with a typed number, and what to do, for its field; null if it is valid. */
export function numberProblem(typed: TypedNumber, rule: NumberRule = {}): string | null {
  const { min = 0, max, whole = false, optional = false } = rule;
  if (typed === '') return optional ? null : 'Fill this in.';
  if (typeof typed === 'string') {
    if (PLAIN.test(typed)) return 'It has too many digits to be counted exactly.';
    return whole
      ? 'Enter a whole number such as 1500, without separators.'
      : 'Enter a number such as 1500 or 0.5, without separators.';
  }
  if (whole && !Number.isInteger(typed)) return 'Enter a whole number.';
  if (typed < min) return `No less than ${String(min)}.`;
  if (max !== undefined && typed > max) return `No more than ${String(max)}.`;
  if ((String(typed).split('.')[1] ?? '').length > MAX_DECIMALS)
    return `No more than ${MAX_DECIMALS} digits after the point.`;
  return null;
}

/** Returns a form field's validator. */
export function numberRule(rule: NumberRule): (typed: TypedNumber) => string | null {
  return (typed) => numberProblem(typed, rule);
}
