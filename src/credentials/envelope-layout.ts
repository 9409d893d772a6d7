/** The parts of an envelope of version 1. */
export interface EnvelopeLayout {
  keyId: string;
  wrapNonce: Buffer;
  /** The data key, sealed: 32 bytes and a tag. */
  wrappedKey: Buffer;
  nonce: Buffer;
  /** The secret set, sealed, with its tag. */
  sealed: Buffer;
}

const VERSION = 1;
/** AES-256-GCM with 96-bit nonces and 128-bit tags. */
const ALGORITHM = 1;
const HEADER = 3;
const NONCE = 12;
const WRAPPED_KEY = 48;
const TAG = 16;

/**
 * As bytes: version, algorithm, length of the key's id, the id, and the sealed parts, each of a fixed size but the
 * last. Every bit is significant, so that there is no second spelling of an envelope.
 */
export function writeLayout({ keyId, wrapNonce, wrappedKey, nonce, sealed }: EnvelopeLayout): Buffer {
  const id = Buffer.from(keyId, 'latin1');
  return Buffer.concat([
    Buffer.from([VERSION, ALGORITHM, id.length]),
    id,
    wrapNonce,
    wrappedKey,
    nonce,
    sealed,
  ]);
}

/** Undefined when these bytes are no envelope of a known version. */
export function readLayout(bytes: Buffer): EnvelopeLayout | undefined {
  const [version, algorithm, length = 0] = bytes;
  if (version !== VERSION || algorithm !== ALGORITHM || length === 0) return undefined;
  if (bytes.length < HEADER + length + NONCE + WRAPPED_KEY + NONCE + TAG) return undefined;
  let at = HEADER;
  const next = (size: number): Buffer => bytes.subarray(at, (at += size));
  return {
    keyId: next(length).toString('latin1'),
    wrapNonce: next(NONCE),
    wrappedKey: next(WRAPPED_KEY),
    nonce: next(NONCE),
    sealed: next(bytes.length),
  };
}
