/** Characters of a payload that are shown: more is for a program. */
const MOST = 20_000;

/** The beginning of a text, and how much of it is left out. A pair of surrogates is not torn apart. */
export function shortened(text: string, most = MOST): { shown: string; left: number } {
  if (text.length <= most) return { shown: text, left: 0 };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { shown: text.slice(0, end), left: text.length - end };
}
