import type { CustomerRow } from './customer-store';

const COUNTRY = /^[A-Z]{2}$/;

/** ISO 3166-1 alpha-2, from the customer's metadata (`country`), for tax; null when it is not known. */
export function countryOf({ metadata }: Pick<CustomerRow, 'metadata'>): string | null {
  const { country } = metadata;
  return typeof country === 'string' && COUNTRY.test(country) ? country : null;
}
