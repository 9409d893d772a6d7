import { TollgateError } from '../domain/errors';
import { pointerOf } from './json-pointer';
import { Slices } from './slices';

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;

const BEGINS_VALUE = /["[{\-\dtfn]/;

/** Bytes between two checks of the clock. */
const STRETCH = 64 * 1024;

/** A longer name in the outer object is refused without being compared. */
const MAX_NAME_LENGTH = 256;

/**
 * Splits `{ "<member>": [ … ] }` into the raw bytes of its elements. It checks only quotes and brackets; each element's
 * parser checks its JSON. Large lists are split in slices, so that the event loop is not blocked.
 *
 * @param most maximum number of elements; anything after them is not read
 * @throws TollgateError body_invalid_json, body_duplicate_member, validation_failed
 */
export async function splitList(bytes: Buffer, member: string, most: number): Promise<Buffer[]> {
  const slices = new Slices();
  const splitting = new Splitter(bytes, member, most).split();
  for (;;) {
    const { done, value } = splitting.next();
    if (done === true) return value;
    if (slices.isOver()) await slices.next();
  }
}

class Splitter {
  private at = 0;
  private depth = 0;
  private isText = false;

  constructor(
    private readonly bytes: Buffer,
    private readonly member: string,
    private readonly most: number,
  ) {}

  *split(): Generator<undefined, Buffer[]> {
    yield* this.blanks();
    if (this.bytes[this.at] !== OPEN_OBJECT) throw this.other('', 'expected an object');
    this.at += 1;
    yield* this.blanks();
    if (this.bytes[this.at] === CLOSE_OBJECT) throw this.refusal(`/${this.member}`, 'is missing');
    this.name();
    yield* this.blanks();
    if (this.bytes[this.at] !== COLON) throw notJson();
    this.at += 1;
    yield* this.blanks();
    if (this.bytes[this.at] !== OPEN_LIST) throw this.other(`/${this.member}`, 'is not an array');
    this.at += 1;
    const elements = yield* this.elements();
    yield* this.blanks();
    if (this.bytes[this.at] === COMMA) {
      this.at += 1;
      yield* this.blanks();
      this.name();
      const detail = `/${this.member}: is there more than once`;
      throw new TollgateError('body_duplicate_member', detail, {
        errors: [{ pointer: `/${this.member}`, message: 'is there more than once', fix: 'Send it once.' }],
      });
    }
    if (this.bytes[this.at] !== CLOSE_OBJECT) throw notJson();
    this.at += 1;
    yield* this.blanks();
    if (this.at < this.bytes.length) throw notJson();
    return elements;
  }

  private *elements(): Generator<undefined, Buffer[]> {
    const elements: Buffer[] = [];
    yield* this.blanks();
    if (this.bytes[this.at] === CLOSE_LIST) throw this.refusal(`/${this.member}`, 'has no element');
    for (;;) {
      yield* this.blanks();
      const start = this.at;
      while (!this.element(Math.min(this.at + STRETCH, this.bytes.length))) {
        if (this.at >= this.bytes.length) throw notJson();
        yield;
      }
      if (this.at === start) throw notJson();
      if (elements.length === this.most)
        throw this.refusal(`/${this.member}`, `has more than ${this.most} elements`);
      elements.push(this.bytes.subarray(start, this.at));
      const isLast = this.bytes[this.at] === CLOSE_LIST;
      this.at += 1;
      if (isLast) return elements;
      yield;
    }
  }

  /** Reads on in an element. @returns whether it ends here, before a comma or the list's end */
  private element(until: number): boolean {
    const { bytes } = this;
    let { at, depth, isText } = this;
    let ended = false;
    for (; at < until && !ended; at += 1) {
      const byte = bytes[at];
      if (isText) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) {
          if (byte === CLOSE_OBJECT) throw notJson();
          ended = true;
        } else depth -= 1;
      } else if (byte === COMMA && depth === 0) ended = true;
    }
    Object.assign(this, { at: ended ? at - 1 : at, depth, isText });
    return ended;
  }

  private name(): void {
    const start = this.at;
    if (this.bytes[start] !== QUOTE) throw notJson();
    let end = start + 1;
    for (; this.bytes[end] !== QUOTE; end += 1) {
      if (end >= this.bytes.length) throw notJson();
      if (end - start > MAX_NAME_LENGTH)
        throw this.refusal('', 'has a member that is not a field of this request');
      if (this.bytes[end] === BACKSLASH) end += 1;
    }
    this.at = end + 1;
    const name = textOf(this.bytes.subarray(start, this.at));
    if (name !== this.member) {
      throw this.refusal(pointerOf([name]), 'is not a field of this request');
    }
  }

  private *blanks(): Generator<undefined, void> {
    for (; isBlank(this.bytes[this.at]); this.at += 1) if (this.at % STRETCH === 0) yield;
  }

  /** Builds the refusal for a value of another type, or for text that is not JSON. */
  private other(pointer: string, message: string): TollgateError {
    const here = String.fromCharCode(this.bytes[this.at] ?? 0);
    return BEGINS_VALUE.test(here) ? this.refusal(pointer, message) : notJson();
  }

  private refusal(pointer: string, message: string): TollgateError {
    const fix = `Send { "${this.member}": [ … ] } with 1 to ${this.most} elements.`;
    const detail = `${pointer || 'The body'}: ${message}`;
    return new TollgateError('validation_failed', detail, { errors: [{ pointer, message, fix }] });
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function textOf(json: Buffer): string {
  try {
    return String(JSON.parse(json.toString('utf8')));
  } catch {
    throw notJson();
  }
}

function notJson(): TollgateError {
  return new TollgateError('body_invalid_json', 'The body is not valid JSON.');
}
