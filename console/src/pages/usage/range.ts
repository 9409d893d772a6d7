import { DAY_MS } from '../../../../src/domain/instant.ts';
import type { UsageSeries } from '../../api/resources.ts';
import { dayAfter, endOfHour, monthsBefore, startOfDay, startOfLastDays } from '../../ui/zone.ts';

export const UNITS = ['hour', 'day', 'month'] as const satisfies UsageSeries['interval'][];
export type Unit = (typeof UNITS)[number];

/** Frequently used periods, with a suitable unit. */
export const RANGES = {
  '24h': { title: '24 hours', days: 1, unit: 'hour' },
  '7d': { title: '7 days', days: 7, unit: 'day' },
  '30d': { title: '30 days', days: 30, unit: 'day' },
  '12m': { title: '12 months', days: 365, unit: 'month' },
} as const satisfies Record<string, { title: string; days: number; unit: Unit }>;
export type Range = keyof typeof RANGES;

/** A chosen period: up to now, or days (`2026-11-24`) from the first to the last. */
export type ChosenTime = { range: Range } | { firstDay: string; lastDay: string };

/** Days that can be chosen: before any usage, and long after it. */
export const EARLIEST = '2000-01-01';
export const LATEST = '2999-12-31';

/** Maximum number of points that the API returns, including those of the group of all others. */
const MAX_POINTS = 1_000;
const MAX_GROUPS = 10;

/** @returns number of days in a period */
function daysOf(time: ChosenTime): number {
  if ('range' in time) return RANGES[time.range].days;
  return (Date.parse(time.lastDay) - Date.parse(time.firstDay)) / DAY_MS + 1;
}

/** Estimates the number of points of a period; never fewer than the API returns. */
function pointsOf(time: ChosenTime, unit: Unit): number {
  const days = daysOf(time);
  return { hour: days * 24 + 2, day: days + 1, month: Math.ceil(days / 28) + 1 }[unit];
}

/** Returns the default unit of a period. */
export function usualUnit(time: ChosenTime): Unit {
  if ('range' in time) return RANGES[time.range].unit;
  const days = daysOf(time);
  return days <= 2 ? 'hour' : days <= 92 ? 'day' : 'month';
}

/** Returns whether the API answers for a period and a unit: with one group, or with the largest and all others. */
export function isAnswered(time: ChosenTime, unit: Unit, isGrouped: boolean): boolean {
  return pointsOf(time, unit) * (isGrouped ? 2 : 1) <= MAX_POINTS;
}

/** Returns how many groups can be shown separately, apart from all others together. */
export function groupsWithin(time: ChosenTime, unit: Unit): number {
  return Math.max(1, Math.min(MAX_GROUPS, Math.floor(MAX_POINTS / pointsOf(time, unit)) - 1));
}

/**
 * Returns the first instant of a period, and the first after it. A period up to now has as many hours, days or months
 * as its name says, including the current one.
 *
 * @param now in epoch milliseconds; only its hour in the zone is used, so that the query stays the same for a while
 */
export function instantsOf(
  time: ChosenTime,
  unit: Unit,
  zone: string,
  now: number,
): { from: number; to: number } {
  if (!('range' in time))
    return {
      from: startOfDay(zone, time.firstDay),
      to: startOfDay(zone, dayAfter(time.lastDay, 1)),
    };
  const to = endOfHour(zone, now);
  const { days } = RANGES[time.range];
  if (unit === 'hour') return { from: to - days * DAY_MS, to };
  if (unit === 'month' && time.range === '12m') return { from: monthsBefore(zone, to - 1, 11), to };
  return { from: startOfLastDays(zone, to - 1, days), to };
}
