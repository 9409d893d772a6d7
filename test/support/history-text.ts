/** Returns all text of a workflow's history, decoded payloads included: JSON would show their bytes as numbers. */
export function textOfHistory(events: unknown): string {
  return textsOf(events).join('\n');
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (ArrayBuffer.isView(value)) {
    return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}
