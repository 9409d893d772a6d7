import { MalformedEventError } from './canonical-event';

/** Members and elements that an event may have: many times what a provider's largest has. */
const MOST_VALUES = 20_000;
/** Levels that a parser's recursion bears with ease, and far more than a provider's event has. */
const DEEPEST = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Bounds the cost of parsing the bytes of an event, in one pass and whatever their format:
 * an event is read before its signature is verified, because what it names tells whose it may be.
 *
 * @param mostBytes where reading is dear by the byte
 * @throws MalformedEventError
 */
export function boundEvent(bytes: Buffer, mostBytes = Number.POSITIVE_INFINITY): void {
  if (bytes.length > mostBytes) throw new MalformedEventError('The body is longer than any event.');
  let values = 0;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      values += 1;
      depth += 1;
      if (depth > DEEPEST) break;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
    }
  }
  if (depth > DEEPEST || values > MOST_VALUES) {
    throw new MalformedEventError('The body has more members or levels than any event.');
  }
}
