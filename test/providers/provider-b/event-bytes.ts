/** Returns the bytes of an event as provider B sends it. */
export function eventBytes(type: string, resource: unknown, extra: object = {}): Buffer {
  return Buffer.from(
    JSON.stringify({
      id: 'WH-1XS97263M8117650H-63C0057569090994L',
      create_time: '2026-11-10T21:41:03.688Z',
      event_type: type,
      resource,
      ...extra,
    }),
  );
}
