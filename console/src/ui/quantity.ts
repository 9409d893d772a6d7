/** The API's quantities have up to twelve digits after the point. */
const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 12 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Units in the viewer's way of writing: `1,250.5`. Every digit of decimal text. */
export function formatQuantity(quantity: number | `${number}`): string {
  return exact.format(quantity);
}

/** Units where there is little room, such as at an axis: `1.3K`. */
export function formatShortQuantity(quantity: number): string {
  return short.format(quantity);
}
