import { TollgateError } from '../domain/errors';

/**
 * A position in a workspace's stream. Rows are ordered by the transaction that wrote them and a sequence. Both are
 * 64-bit and kept as text.
 */
export interface StreamPosition {
  transactionId: string;
  sequence: string;
}

/** Returns the position after all transactions before this one. Sequences start at 1. */
export function before(transactionId: string): StreamPosition {
  return { transactionId, sequence: '0' };
}

/**
 * Whether a position lies ahead of the oldest transaction that is still running. No stream of this database reaches it:
 * another database issued it, or this one before a restore or before a failover that lost transactions.
 */
export function isForeign({ transactionId }: StreamPosition, horizon: string): boolean {
  return BigInt(transactionId) > BigInt(horizon);
}

/** Formats a position as an SSE id: `<transaction>.<sequence>`. */
export function toStreamId(position: StreamPosition): string {
  return `${position.transactionId}.${position.sequence}`;
}

const ID = /^(\d{1,19})\.(\d{1,19})$/;
/** The largest value of Postgres' xid8 and bigint that is accepted. */
const LARGEST = 2n ** 63n - 1n;

/**
 * Parses the position in a `Last-Event-ID` header.
 *
 * @throws TollgateError validation_failed: an id of another form was never sent by this stream
 */
export function fromStreamId(id: string): StreamPosition {
  const [, transactionId, sequence] = ID.exec(id) ?? [];
  if (
    transactionId === undefined ||
    sequence === undefined ||
    BigInt(transactionId) > LARGEST ||
    BigInt(sequence) > LARGEST
  ) {
    throw new TollgateError('validation_failed', 'Last-Event-ID is not an id of this stream.', {
      errors: [
        {
          pointer: '/headers/Last-Event-ID',
          message: 'is not <transaction>.<sequence>',
          fix: 'Send the id of the last message as it was received, or leave the header out.',
        },
      ],
    });
  }
  return { transactionId, sequence };
}
