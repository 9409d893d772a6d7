/** Maximum number of characters of a payload that are shown. Longer ones are for programs. */
const MOST = 20_000;

/** Returns the beginning of a text, and how much is left out, without splitting a surrogate pair. */
export function shortened(text: string, most = MOST): { shown: string; left: number } {
  if (text.length <= most) return { shown: text, left: 0 };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { shown: text.slice(0, end), left: text.length - end };
}
