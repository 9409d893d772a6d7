/** A shorter one stands in too much that is not about its bearer. */
const SHORTEST_NAME = 4;

/** Those of a customer's names that can be looked for in free text. */
export function tellingNames(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter((name): name is string => name !== null && name.length >= SHORTEST_NAME))];
}

/**
 * Whether a text has one of the names, as a word: neither a letter nor a digit stands before or after it. Upper and
 * lower case are the same. It may be written as in JSON, with or without escapes of what is not ASCII, or as in a URL.
 */
export function mentions(text: string, names: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return names.some((name) => [...spellings(name)].some((spelling) => hasWord(lower, spelling)));
}

function spellings(name: string): Set<string> {
  const json = JSON.stringify(name).slice(1, -1);
  const ascii = json.replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const url = encodeURIComponent(name.toWellFormed());
  const form = new URLSearchParams([['', name]]).toString().slice(1);
  const all = [name, json, json.replaceAll('/', String.raw`\/`), ascii, url, form];
  return new Set(all.map((spelling) => spelling.toLowerCase()));
}

function hasWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
