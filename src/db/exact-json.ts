/** JSON with amounts as text, because a JSON number would be read back as a double. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}
