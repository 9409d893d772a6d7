/**
 * Lower-cases a text letter by letter, as Postgres's `lower` does. `toLowerCase` depends on neighboring letters (a
 * sigma at the end of a word) and turns a dotted capital I into two letters, so two spellings could be one address in
 * Postgres and two here.
 */
export function lowerCase(text: string): string {
  return Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('');
}
