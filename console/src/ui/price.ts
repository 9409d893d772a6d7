import type { Plan } from '../api/resources';
import { formatMoney } from './money';

type Priced = Pick<Plan, 'price' | 'interval' | 'pricing'>;

/** Returns the unit of a price: `/month`, or `/month a seat`. */
export function priceUnit({ interval, pricing }: Pick<Priced, 'interval' | 'pricing'>): string {
  return pricing === 'per_seat' ? `/${interval} a seat` : `/${interval}`;
}

/** Formats a price for a choice: `$20.00/month a seat`. */
export function formatPrice(priced: Priced): string {
  return `${formatMoney(priced.price)}${priceUnit(priced)}`;
}
