import type { RecordedUse } from './recorded-uses';

/** The question whose series a test computes, added up use by use. Quantities are whole numbers. */
export interface ExpectedQuestion {
  starts: readonly number[];
  to: number;
  featureId?: string;
  customerId?: string;
  keyOf: (use: RecordedUse) => string | null;
  limit: number;
}

interface Point {
  quantity: number;
  events: number;
}

/** Each group's key (`-` for other) and points, in order. */
export type ExpectedGroups = { key: string | null; points: Point[] }[];

export const OTHER = '-';

export function expectedGroups(uses: readonly RecordedUse[], question: ExpectedQuestion): ExpectedGroups {
  const { starts, to, featureId, customerId, keyOf, limit } = question;
  const groups = new Map<string | null, Point[]>();
  for (const use of uses) {
    const within = use.at >= (starts[0] ?? 0) && use.at < to;
    const isOf =
      (featureId ?? use.featureId) === use.featureId && (customerId ?? use.customerId) === use.customerId;
    if (!within || !isOf) continue;
    const bucket = starts.filter((start) => start <= use.at).length - 1;
    const key = keyOf(use);
    const points = groups.get(key) ?? starts.map(() => ({ quantity: 0, events: 0 }));
    groups.set(key, points);
    const point = points[bucket];
    if (point === undefined) throw new Error('No bucket.');
    point.quantity += use.quantity - use.reversed;
    point.events += 1;
  }
  const total = (points: Point[]): number => points.reduce((sum, { quantity }) => sum + quantity, 0);
  const ranked = [...groups].map(([key, points]) => ({ key, points }));
  ranked.sort((one, other) => total(other.points) - total(one.points));
  const rest = ranked.slice(limit);
  const shown = ranked.slice(0, limit);
  if (rest.length === 0) return shown;
  const sum = starts.map((_, bucket) => ({
    quantity: rest.reduce((all, { points }) => all + (points[bucket]?.quantity ?? 0), 0),
    events: rest.reduce((all, { points }) => all + (points[bucket]?.events ?? 0), 0),
  }));
  return [...shown, { key: OTHER, points: sum }];
}
