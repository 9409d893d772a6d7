/** Returns a random key. Browsers offer `crypto.randomUUID` only over https, and the console may be on http. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
