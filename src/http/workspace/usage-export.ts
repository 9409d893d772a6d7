import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CSV_HEADER, csvLine, ndjsonLine } from '../../usage-history/export-lines';
import type { ExportedUse } from '../../usage-history/usage-events';

export const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

/** A client that reads nothing for this long counts as disconnected, whatever its connection says. */
const STALLED_MS = 60_000;

/**
 * Streams an export as fast as the client reads it. The next part is read once the last one is being sent, so only one
 * part is in memory. The export ends when the client disconnects or may no longer read it.
 *
 * @param form.hasHeader whether a CSV begins with its column names
 * @param reauthenticate throws once the caller may no longer read it
 */
export async function sendExport(
  response: ServerResponse,
  parts: AsyncGenerator<ExportedUse[], void>,
  { format, hasHeader }: { format: keyof typeof EXPORT_TYPES; hasHeader: boolean },
  reauthenticate: () => Promise<void>,
): Promise<void> {
  response.setTimeout(STALLED_MS, () => response.destroy());
  // A failure before the first line is answered like any other.
  const first = await parts.next();
  const failures: unknown[] = [];
  async function* text(): AsyncGenerator<string, void> {
    try {
      const toLine = format === 'csv' ? csvLine : ndjsonLine;
      if (format === 'csv' && hasHeader) yield CSV_HEADER;
      if (first.done !== true) yield first.value.map(toLine).join('');
      for await (const part of parts) {
        await reauthenticate();
        if (part.length > 0) yield part.map(toLine).join('');
      }
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
  try {
    await pipeline(Readable.from(text(), { objectMode: false }), response);
  } catch (error) {
    // A client that disconnected can resume after its last line.
    if (failures.length > 0) throw error;
  }
}
