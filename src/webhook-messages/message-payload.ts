import { toTime } from '../schemas/instant';
import type { MessageRow } from './message-store';

/** Largest payload sent (bytes). Above it, `data` is null, and receivers read the resource instead. */
const MAX_BYTES = 256 * 1024;

/** Returns the payload as JSON text. */
export function payloadOf(message: MessageRow, data: unknown): string {
  const text = envelopeOf(message, data);
  return Buffer.byteLength(text) <= MAX_BYTES ? text : envelopeOf(message, null);
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
