import { TollgateError, type ErrorCode } from '../domain/errors';
import { pointerOf } from './json-pointer';
import { MemberNames } from './member-names';
import { numberProblem } from './number-problem';

/** Nesting levels of objects and lists; no request in the reference has more than four. */
const MAX_DEPTH = 16;

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /[a-z]+/y;

/** An object or list that is open at the reading position, and the position within it. */
interface Container {
  /** An object's member names so far; null for a list. */
  names: MemberNames | null;
  at: string | number;
  /** Whether the next string of an object is a name. */
  expectsName: boolean;
}

/**
 * Scans JSON text before it is parsed, and stops at the first thing that would be changed silently, could not be
 * stored, or exceeds a limit: a duplicate name in an object, a number that a double cannot hold, a NUL character or
 * half of a surrogate pair, the name `__proto__`, too many values, too many levels. The work is bounded by the text's
 * length, whatever its content. Invalid JSON is left to the parser.
 *
 * @param mostValues members and elements allowed in the whole text
 * @throws TollgateError body_duplicate_member, body_number_imprecise, body_too_complex, body_invalid_json; each with
 *   the pointer to the place
 */
export function scanJson(text: string, mostValues: number): void {
  new Scan(text, mostValues).run();
}

class Scan {
  private readonly containers: Container[] = [];
  private values = 0;
  /** If false, every string is its own decoded value. */
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

  /** Reads the token here. @returns where the next token begins; null if this is not JSON */
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
    if (this.containers.length === MAX_DEPTH) {
      throw this.refusal('body_invalid_json', `is nested more than ${MAX_DEPTH} levels deep`);
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

  /** Decodes the JSON string between two positions; null if it is invalid. */
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

  /** Returns the position after the closing quote: the first quote preceded by an even number of backslashes. */
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
