import { moneyInLocale } from '../../src/domain/money-in-locale.ts';
import { timeInLocale } from '../../src/domain/time-in-locale.ts';

/** Minor units as text, as in the service. */
export interface Money {
  amount: string;
  currency: string;
}

/** The page is in English, so amounts and dates use the viewer's variant of English. */
const LOCALE = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en';

/** Formats an amount exactly, without converting it to a number. */
export function formatMoney(money: Money): string {
  return moneyInLocale(LOCALE, money);
}

export function isZero({ amount }: Money): boolean {
  return /^-?0+$/.test(amount);
}

/** Formats a day in the viewer's time zone: `24 December 2026`. */
export function formatDay(time: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' }).format(new Date(time));
}

/** Formats a day in a short form, for lists. */
export function formatShortDay(time: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' }).format(new Date(time));
}

/** Formats a day and a time in the viewer's time zone. */
export function formatTime(time: string): string {
  const format = (timeStyle: 'short' | 'long') =>
    new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle });
  return timeInLocale(Date.parse(time), format('short'), format('long'));
}

export function formatNumber(quantity: number): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format(quantity);
}
