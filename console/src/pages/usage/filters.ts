import { setParams, wordOf } from '../../app/search-params';
import { VIEWER_ZONE, zoneProblem } from '../../ui/zone';
import { EARLIEST, LATEST, RANGES, UNITS, usualUnit, type ChosenTime, type Range, type Unit } from './range';

/** Filters of usage, kept in the address unless they have their default. */
export interface UsageFilters {
  time: ChosenTime;
  unit: Unit;
  zone: string;
  /** Key of a feature. */
  feature?: string;
  /** External id of a customer. */
  customer?: string;
  grouping: Grouping;
}

/** How usage is grouped. */
export type Grouping =
  | { by: 'none' }
  | { by: 'feature' }
  | { by: 'customer' }
  | { by: 'dimension'; dimension: string };

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  DAY.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  text >= EARLIEST &&
  text <= LATEST;

/** Reads the filters of an address, with defaults for invalid ones. */
export function readUsageFilters(search: Record<string, unknown>): UsageFilters {
  const word = (name: string) => wordOf(search, name);
  const time = readTime(word('range'), word('from'), word('to'));
  const zone = word('zone');
  const [feature, customer, dimension] = [word('feature'), word('customer'), word('dimension')];
  const by = word('group');
  const grouping: Grouping =
    by === 'feature' || by === 'customer'
      ? { by }
      : // A dimension belongs to a feature.
        by === 'dimension' && dimension !== undefined && feature !== undefined
        ? { by, dimension }
        : { by: 'none' };
  return {
    time,
    unit: UNITS.find((known) => known === word('unit')) ?? usualUnit(time),
    // Any name that is known: what one browser lists as Asia/Kolkata is Asia/Calcutta in the list of another.
    zone: zone !== undefined && zoneProblem(zone) === null ? zone : VIEWER_ZONE,
    ...(feature !== undefined && { feature }),
    ...(customer !== undefined && { customer }),
    grouping,
  };
}

function readTime(range: string | undefined, from: string | undefined, to: string | undefined): ChosenTime {
  if (isDay(from) && isDay(to) && from <= to) return { firstDay: from, lastDay: to };
  const isRange = (word: string | undefined): word is Range =>
    word !== undefined && Object.hasOwn(RANGES, word);
  return { range: isRange(range) ? range : '30d' };
}

/** Returns the filters for the address. */
export function usageSearch({
  time,
  unit,
  zone,
  feature,
  customer,
  grouping,
}: UsageFilters): Record<string, string> {
  return setParams({
    ...('range' in time
      ? { range: time.range === '30d' ? undefined : time.range }
      : { from: time.firstDay, to: time.lastDay }),
    unit: unit === usualUnit(time) ? undefined : unit,
    zone: zone === VIEWER_ZONE ? undefined : zone,
    feature,
    customer,
    group: grouping.by === 'none' ? undefined : grouping.by,
    dimension: grouping.by === 'dimension' ? grouping.dimension : undefined,
  });
}
