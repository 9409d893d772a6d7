/** What is in a number's field: the number, or the text as it was typed where it is none. Empty is ''. */
export type TypedNumber = number | string;

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** Reads what was typed. Nothing is guessed: `1.234,56`, `1e5` and what a number cannot hold exactly stay text. */
export function readNumber(text: string): TypedNumber {
  const word = text.trim();
  return PLAIN.test(word) && isExact(word) ? Number(word) : word;
}

/** Whether a number has every digit that was typed. */
function isExact(word: string): boolean {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(word) ?? [];
  const plain = `${minus}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  return String(Number(word)) === plain || Number(word) === 0;
}

/** The API takes at most so many units, credits or seats at once. */
export const MOST_UNITS = 1e12;
export const MOST_SEATS = 1_000_000;

interface NumberRule {
  min?: number;
  max?: number;
  /** It has no digits after the point. */
  whole?: boolean;
  /** It may be left empty. */
  optional?: boolean;
}

/** The API takes numbers with six digits after the point. */
const MOST_DECIMALS = 6;

/** What is wrong with what was typed, and what to do: for its field. Null where nothing is. */
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
  if ((String(typed).split('.')[1] ?? '').length > MOST_DECIMALS)
    return `No more than ${MOST_DECIMALS} digits after the point.`;
  return null;
}

/** As a form validates a field by. */
export function numberRule(rule: NumberRule): (typed: TypedNumber) => string | null {
  return (typed) => numberProblem(typed, rule);
}
