import type { Customer } from '../../api/resources';

/** Help text of a customer's country. */
export const COUNTRY_USE = 'Two letters, such as DE. It selects the tax rates of the settings.';

/** Returns the country in a customer's metadata as it is stored; empty if there is none. */
export function countryIn({ country }: Customer['metadata']): string {
  return typeof country === 'string' ? country : '';
}

/** Returns what is wrong with a typed country; null if nothing. An empty one is allowed. */
export function countryProblem(text: string): string | null {
  return /^([a-z]{2})?$/i.test(text.trim()) ? null : 'Enter the two letters of ISO 3166-1, such as DE.';
}

/** Metadata as the API takes it. */
type Labels = Record<string, string | number | boolean | null>;

/** Returns the metadata with a typed country, or without one if it is empty. */
export function withCountry(metadata: Customer['metadata'], typed: string): Labels {
  const country = typed.trim().toUpperCase();
  const others = Object.entries(metadata as Labels).filter(([name]) => name !== 'country');
  return { ...Object.fromEntries(others), ...(country !== '' && { country }) };
}
