/**
 * Writes JSON like provider B: `\/` for a slash, and numbers that keep a trailing zero (`10.0`). Parsing and
 * re-serializing it changes the bytes.
 */
export function emitJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/"\\u0000(-?\d+(?:\.\d+)?)"/g, '$1');
}

/** Returns a number that is written with exactly these digits. */
export function literalNumber(digits: string): string {
  return `\u0000${digits}`;
}

const BLANK = /[ \t\n\r]/;

/**
 * Returns the original bytes of one member's value in the text of a JSON object.
 *
 * @param body the text of a valid JSON object
 * @returns null when the member is missing or occurs more than once
 */
export function rawMember(body: Buffer, name: string): Buffer | null {
  const text = body.toString('latin1');
  const found: Buffer[] = [];
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key = JSON.parse(body.subarray(at, keyEnd).toString('utf8')) as string;
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (key === name) found.push(body.subarray(start, end));
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (BLANK.test(text.charAt(at))) at += 1;
  return at;
}

/** Returns the position after the closing quotation mark. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === '{' || character === '[') {
      depth += 1;
      at += 1;
    } else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
    } else if (depth === 0 && (character === ',' || BLANK.test(character))) {
      return at;
    } else {
      at += 1;
    }
    if (depth === 0 && /["}\]]/.test(text.charAt(at - 1))) return at;
  }
  return at;
}
