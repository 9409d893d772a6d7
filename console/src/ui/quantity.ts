import { countInWords } from '../../../src/domain/count-in-words.ts';

/** The API's quantities have up to twelve decimals. */
const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 12 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Formats units in the viewer's locale: `1,250.5`. All digits of decimal text are kept. */
export function formatQuantity(quantity: number | `${number}`): string {
  return exact.format(quantity);
}

/** Formats credits with their noun: `1 credit`, `2.5 credits`. */
export function formatCredits(credits: number): string {
  return countInWords(credits, 'credit', formatQuantity(credits));
}

/** Formats units compactly, such as for an axis: `1.3K`. */
export function formatShortQuantity(quantity: number): string {
  return short.format(quantity);
}
