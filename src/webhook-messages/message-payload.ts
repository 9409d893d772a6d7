import { toTime } from '../schemas/instant';
import type { MessageRow } from './message-store';

/** More than this (bytes) is not sent: then `data` is null, and the resource is there to be read. */
const MOST_BYTES = 256 * 1024;

/** What is sent, as JSON text. */
export function payloadOf(message: MessageRow, data: unknown): string {
  const text = envelopeOf(message, data);
  return Buffer.byteLength(text) <= MOST_BYTES ? text : envelopeOf(message, null);
}

function envelopeOf(
  { id, type, happenedAt, sequence, resourceKind, resourceId }: MessageRow,
  data: unknown,
): string {
  return JSON.stringify({
    type,
    timestamp: toTime(happenedAt),
    id,
    sequence: Number(sequence),
    resource: { type: resourceKind, id: resourceId },
    data,
  });
}
