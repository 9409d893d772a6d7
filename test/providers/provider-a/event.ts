/** Returns the bytes of a provider A event around an object. */
export function eventOf(
  type: string,
  object: unknown,
  more: Record<string, unknown> = {},
  previous?: unknown,
): Buffer {
  return Buffer.from(
    JSON.stringify({
      id: 'evt_1',
      object: 'event',
      api_version: '2026-10-28.endive',
      created: 1_790_000_000,
      livemode: false,
      type,
      data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
      request: null,
      ...more,
    }),
  );
}
