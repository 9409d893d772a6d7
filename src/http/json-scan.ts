import { isSafeNumber } from 'lossless-json';
import { TollgateError, type ErrorCode } from '../domain/errors';
import { pointerOf } from './json-pointer';

/** Levels of objects and lists within each other; no request of the reference has more than four. */
const DEEPEST = 16;
/** Characters of one number: more than any number needs that a double holds. */
const LONGEST_NUMBER = 64;

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /[a-z]+/y;
/** A run of this many digits (with at most a point among them) may be more than a double holds. */
const MANY_DIGITS = /[\d.]{16,}/;

/** An object or a list that is open at the reading position, and where in it that is. */
interface Container {
  /** The names of an object's members so far; null for a list. */
  names: Set<string> | null;
  at: string | number;
  /** Whether an object's next text is a name. */
  expectsName: boolean;
}

/**
 * Looks through JSON text before it is parsed and stops at the first thing that would be changed in silence, could not
 * be stored, or costs more than a request may: a name that an object has twice, a number that a double cannot hold, a
 * NUL character or half of a surrogate pair, the name `__proto__`, too many values, too many levels. The work is
 * bounded by the text's length, whatever stands in it. What is not JSON at all is for the parser to say.
 *
 * @param mostValues members and elements that the whole text may have
 * @throws TollgateError body_duplicate_member, body_number_imprecise, body_too_complex, body_invalid_json; each with
 *   the pointer to the place
 */
export function scanJson(text: string, mostValues: number): void {
  new Scan(text, mostValues).run();
}

class Scan {
  private readonly containers: Container[] = [];
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly mostValues: number,
  ) {}

  run(): void {
    let at = 0;
    while (at < this.text.length) {
      const next = this.token(at);
      if (next === null) return;
      at = next;
    }
  }

  /** Reads what begins here. @returns where the next token begins; null where this is not JSON */
  private token(at: number): number | null {
    switch (this.text[at]) {
      case '{':
        return this.open(at, new Set());
      case '[':
        return this.open(at, null);
      case '}':
      case ']':
        return this.containers.pop() === undefined ? null : at + 1;
      case ',':
        this.separate();
        return at + 1;
      case '"':
        return this.string(at);
      case ':':
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        return at + 1;
      default:
        return this.scalar(at);
    }
  }

  private open(at: number, names: Set<string> | null): number {
    this.count();
    if (this.containers.length === DEEPEST) {
      throw this.refusal('body_invalid_json', `is nested more than ${DEEPEST} levels deep`);
    }
    this.containers.push({ names, at: 0, expectsName: names !== null });
    return at + 1;
  }

  private separate(): void {
    const container = this.containers.at(-1);
    if (container === undefined) return;
    if (container.names !== null) container.expectsName = true;
    else if (typeof container.at === 'number') container.at += 1;
  }

  private string(start: number): number | null {
    const end = this.endOfString(start);
    if (end === null) return null;
    const source = this.text.slice(start, end);
    const container = this.containers.at(-1);
    if (container !== undefined && container.names !== null && container.expectsName) {
      const name = decoded(source);
      if (name === null) return null;
      this.name(container, container.names, name);
    } else {
      this.count();
      if (source.includes('\\u')) this.refuseUnstorable(decoded(source) ?? '');
    }
    return end;
  }

  private name(container: Container, names: Set<string>, name: string): void {
    container.at = name;
    container.expectsName = false;
    this.refuseUnstorable(name);
    if (name === '__proto__') throw this.refusal('body_invalid_json', 'may not be the name of a member');
    if (names.has(name)) throw this.refusal('body_duplicate_member', 'is there more than once');
    names.add(name);
  }

  private refuseUnstorable(value: string): void {
    if (!value.includes('\0') && value.isWellFormed()) return;
    throw this.refusal(
      'body_invalid_json',
      'has a NUL character or half of a surrogate pair, which cannot be stored',
    );
  }

  /** The position after the closing quote: the first that no backslash precedes, or an even number of them. */
  private endOfString(start: number): number | null {
    for (
      let quote = this.text.indexOf('"', start + 1);
      quote !== -1;
      quote = this.text.indexOf('"', quote + 1)
    ) {
      let before = quote - 1;
      while (this.text[before] === '\\') before -= 1;
      if ((quote - before) % 2 === 1) return quote + 1;
    }
    return null;
  }

  private scalar(at: number): number | null {
    const number = match(NUMBER, this.text, at);
    const source = number ?? match(LITERAL, this.text, at);
    if (source === null) return null;
    this.count();
    if (number !== null) this.number(number);
    return at + source.length;
  }

  private number(source: string): void {
    if (source.length > LONGEST_NUMBER) {
      const detail = `is a number of ${source.length} characters, more than the ${LONGEST_NUMBER} that one may have`;
      throw this.refusal('body_number_imprecise', detail);
    }
    if (MANY_DIGITS.test(source) && !isSafeNumber(source)) {
      throw this.refusal(
        'body_number_imprecise',
        `is ${source}, which has more digits than a JSON number carries exactly`,
      );
    }
    if (Number(source) === 0 && /^[^eE]*[1-9]/.test(source)) {
      throw this.refusal(
        'body_number_imprecise',
        `is ${source}, which is so small that it would be read as 0`,
      );
    }
  }

  private count(): void {
    this.values += 1;
    if (this.values <= this.mostValues) return;
    throw new TollgateError(
      'body_too_complex',
      `The body has more than ${this.mostValues} members and elements.`,
    );
  }

  private refusal(code: ErrorCode, message: string): TollgateError {
    const pointer = pointerOf(this.containers.map(({ at }) => at));
    const fix = 'Correct it and send the request again.';
    return new TollgateError(code, `${pointer || 'The body'}: ${message}`, {
      errors: [{ pointer, message, fix }],
    });
  }
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** The text that a JSON string stands for; null where it is none. */
function decoded(source: string): string | null {
  if (!source.includes('\\')) return source.slice(1, -1);
  try {
    return JSON.parse(source) as string;
  } catch {
    return null;
  }
}
