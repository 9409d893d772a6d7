/** Returns a random key. Browsers offer `crypto.randomUUID` over https only, and the console may be served over http. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
