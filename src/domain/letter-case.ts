/**
 * A text in lower case, letter by letter, as Postgres's `lower` makes it. `toLowerCase` looks at neighbours (a sigma at a
 * word's end) and makes two letters of a dotted capital I: two spellings would then be one address there, and two here.
 */
export function lowerCase(text: string): string {
  return Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('');
}
