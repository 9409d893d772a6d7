/** A shorter name would match too many texts that are not about the customer. */
const MIN_NAME_LENGTH = 4;

/** Returns the customer's names that are long enough to search free text for. */
export function searchableNames(names: readonly (string | null)[]): string[] {
  return [
    ...new Set(names.filter((name): name is string => name !== null && name.length >= MIN_NAME_LENGTH)),
  ];
}

/**
 * Whether a text contains one of the names as a word, with neither a letter nor a digit before or after it. Ignores
 * case. The name may be written as in JSON, with or without escapes of non-ASCII characters, or as in a URL.
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
