import { DAY_MS } from './instant';

/** A date of the proleptic Gregorian calendar; `month` and `day` count from 1. */
export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

const DAYS_PER_ERA = 146_097;
/** Days from 1 March of year 0 to 1 January 1970. Years that begin in March end with the leap day. */
const EPOCH_DAYS = 719_468;

/** Returns the date of a wall-clock time (milliseconds as if it were UTC). */
export function dateOfWallClock(wallClock: number): CivilDate {
  const days = Math.floor(wallClock / DAY_MS) + EPOCH_DAYS;
  const era = Math.floor(days / DAYS_PER_ERA);
  const dayOfEra = days - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / (DAYS_PER_ERA - 1))) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Moves a wall-clock time by whole days, keeping the time of day. */
export function addDays(wallClock: number, days: number): number {
  return wallClock + days * DAY_MS;
}

/**
 * Moves a wall-clock time by whole months, keeping the time of day. A day that the month lacks becomes its last day.
 */
export function addMonths(wallClock: number, months: number): number {
  const { year, month, day } = dateOfWallClock(wallClock);
  const target = year * 12 + (month - 1) + months;
  const targetYear = Math.floor(target / 12);
  const targetMonth = target - targetYear * 12 + 1;
  const targetDay = Math.min(day, daysInMonth(targetYear, targetMonth));
  const timeOfDay = wallClock - Math.floor(wallClock / DAY_MS) * DAY_MS;
  return dayNumber(targetYear, targetMonth, targetDay) * DAY_MS + timeOfDay;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

/** Returns the days since 1 January 1970. */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_DAYS;
}
