import { moneyInLocale } from '../../src/domain/money-in-locale.ts';

/** Minor units as text, as the service has them. */
export interface Money {
  amount: string;
  currency: string;
}

/** The page is in English: amounts and dates are too, as the viewer's English has them. */
const LOCALE = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en';

/** An amount, exact: it is never a number. */
export function formatMoney(money: Money): string {
  return moneyInLocale(LOCALE, money);
}

export function isZero({ amount }: Money): boolean {
  return /^-?0+$/.test(amount);
}

/** A day in the viewer's zone: `24 December 2026`. */
export function formatDay(time: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' }).format(new Date(time));
}

/** A day in few characters, for lists. */
export function formatShortDay(time: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' }).format(new Date(time));
}

/** A day and a time in the viewer's zone. */
export function formatTime(time: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time));
}

export function formatNumber(quantity: number): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format(quantity);
}
