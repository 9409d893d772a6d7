import { MalformedEventError } from './canonical-event';

/** Maximum number of members and elements in an event: many times that of a provider's largest event. */
const MAX_VALUES = 20_000;
/** Maximum nesting, well within a parser's recursion limit and far deeper than any provider's event. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Bounds the cost of parsing the bytes of an event, in one pass and for any format. An event is read before its
 * signature is verified, because the references in it identify the connection.
 *
 * @param mostBytes for formats that are expensive to read per byte
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
      if (depth > MAX_DEPTH) break;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
    }
  }
  if (depth > MAX_DEPTH || values > MAX_VALUES) {
    throw new MalformedEventError('The body has more members or levels than any event.');
  }
}
