import { TollgateError, type ErrorCode } from '../domain/errors';
import { pointerOf } from './json-pointer';
import { MemberNames } from './member-names';
import { numberProblem } from './number-problem';

/** Levels of objects and lists within each other; no request of the reference has more than four. */
const DEEPEST = 16;

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /[a-z]+/y;

/** An object or a list that is open at the reading position, and where in it that is. */
interface Container {
  /** The names of an object's members so far; null for a list. */
  names: MemberNames | null;
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
  /** Without one, every text stands for itself. */
  private readonly hasEscapes: boolean;

  constructor(
    private readonly text: string,
    private readonly mostValues: number,
  ) {
    this.hasEscapes = text.includes('\\');
  }

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
        return this.open(at, new MemberNames());
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

  private open(at: number, names: MemberNames | null): number {
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
    const container = this.containers.at(-1);
    if (container !== undefined && container.names !== null && container.expectsName) {
      const name = this.decoded(start, end);
      if (name === null) return null;
      this.name(container, container.names, name);
    } else {
      this.count();
      if (this.hasEscapes) this.refuseUnstorable(this.decoded(start, end) ?? '');
    }
    return end;
  }

  /** The text that the JSON string between two positions stands for; null where it is none. */
  private decoded(start: number, end: number): string | null {
    const content = this.text.slice(start + 1, end - 1);
    if (!this.hasEscapes || !content.includes('\\')) return content;
    try {
      return JSON.parse(`"${content}"`) as string;
    } catch {
      return null;
    }
  }

  private name(container: Container, names: MemberNames, name: string): void {
    container.at = name;
    container.expectsName = false;
    this.refuseUnstorable(name);
    if (name === '__proto__') throw this.refusal('body_invalid_json', 'may not be the name of a member');
    if (!names.add(name)) throw this.refusal('body_duplicate_member', 'is there more than once');
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
      if (!this.hasEscapes) return quote + 1;
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
    const problem = number === null ? null : numberProblem(number);
    if (problem !== null) throw this.refusal('body_number_imprecise', problem);
    return at + source.length;
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
