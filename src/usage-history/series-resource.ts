import { z } from 'zod';
import { BUCKET_INTERVALS, type Bucket, type BucketInterval } from '../domain/calendar-buckets';
import { decimalToNumber } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { totalOf, type UsageSum } from '../domain/series-groups';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import { externalId, line } from '../schemas/text';
import { timeZoneName } from '../schemas/time-zone';
import { propertyName } from './dimension-names';

/** Ways to group a series. */
const GROUPINGS = ['none', 'feature', 'customer', 'dimension'] as const;
/** Number of largest groups shown if a request does not specify it. */
const DEFAULT_LIMIT = 10;
const MAX_GROUPS = 100;
/** The last bucket is shown whole, so it must end within the supported range of years. */
const LATEST_END = Date.UTC(9_999, 0, 1);

/** Filters for the feature and the customer. */
export const usageSubject = {
  feature: line({ min: 1, max: 255 })
    .optional()
    .meta({ description: 'Only usage of the feature with this key.', example: 'ai_tokens' }),
  customer: externalId
    .optional()
    .meta({ description: 'Only usage of the customer with this external id.', example: 'demo_acme' }),
};

export const seriesQuery = z
  .strictObject({
    from: instantInput.meta({
      description: 'The first instant; its bucket is returned in full.',
      example: '2026-01-01T00:00:00Z',
    }),
    to: instantInput
      .refine((to) => to <= LATEST_END, {
        error: 'lies after the year 9998',
        params: { fix: 'Send an earlier time.' },
      })
      .meta({
        description: 'The end, exclusive; the last bucket is returned in full.',
        example: '2026-02-01T00:00:00Z',
      }),
    interval: z.enum(BUCKET_INTERVALS).meta({ description: 'Size of a bucket.', example: 'day' }),
    timeZone: timeZoneName.optional().meta({
      description: 'IANA name of the time zone of the buckets; default: that of the settings.',
      example: 'Europe/Berlin',
    }),
    ...usageSubject,
    groupBy: z.enum(GROUPINGS).default('none'),
    dimension: propertyName
      .optional()
      .meta({ description: 'One of the feature’s dimensions; only with `groupBy=dimension`.' }),
    limit: z
      .string()
      .refine((limit) => /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_GROUPS, {
        error: `is not an integer from 1 to ${MAX_GROUPS}`,
        params: { fix: `Send an integer from 1 to ${MAX_GROUPS}.` },
      })
      .transform(Number)
      .default(DEFAULT_LIMIT)
      .meta({
        description: 'Number of groups returned, the largest by quantity; the rest is the group `other`.',
        type: 'integer',
        minimum: 1,
        maximum: MAX_GROUPS,
        default: DEFAULT_LIMIT,
      }),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    error: 'is not after `from`',
    params: { fix: 'Send a later `to`, or an earlier `from`.' },
  })
  .refine(({ groupBy, dimension }) => (groupBy === 'dimension') === (dimension !== undefined), {
    path: ['dimension'],
    error: 'belongs to `groupBy=dimension`, which needs it',
    params: { fix: 'Send both, or neither.' },
  })
  .refine(({ groupBy, feature }) => groupBy !== 'dimension' || feature !== undefined, {
    path: ['feature'],
    error: 'is needed with `groupBy=dimension`: a dimension is one of a feature',
    params: { fix: 'Send the key of the feature too.' },
  });
export type SeriesQuery = z.output<typeof seriesQuery>;

const quantity = z.number().meta({ description: 'Units, net of reversals.' });
const events = z.int().meta({ description: 'Number of usage events, including reversed ones.' });

const pointSchema = z
  .object({ start: timeSchema, end: timeSchema, quantity, events })
  .meta({ id: 'UsagePoint' });

const groupSchema = z
  .object({
    kind: z.enum(['all', 'feature', 'customer', 'value', 'other']).meta({
      description: '`all` without groups; `other`: the groups beyond `limit`, and values beyond the 1,000th.',
    }),
    key: z.string().nullable().meta({
      description:
        'The feature’s key, the customer’s external id or the value; null for `all`, `other`, and usage without a value.',
    }),
    quantity,
    events,
    points: z.array(pointSchema).meta({ description: 'One per bucket, oldest first.' }),
  })
  .meta({ id: 'UsageGroup' });

export const seriesSchema = z
  .object({
    from: timeSchema.meta({ description: 'Start of the first bucket.' }),
    to: timeSchema.meta({ description: 'End of the last bucket.' }),
    interval: z.enum(BUCKET_INTERVALS),
    timeZone: z.string(),
    groupBy: z.enum(GROUPINGS),
    dimension: z.string().nullable(),
    feature: z.string().nullable(),
    customer: z.string().nullable(),
    quantity,
    events,
    groups: z
      .array(groupSchema)
      .meta({ description: 'Largest first, `other` last. They add up to the total.' }),
  })
  .meta({ id: 'UsageSeries' });

/** A group with one sum per bucket. */
export interface SeriesGroup {
  kind: z.output<typeof groupSchema>['kind'];
  key: string | null;
  sums: readonly UsageSum[];
}

/** A series with its query and the sums that were read. */
interface Series {
  query: SeriesQuery;
  timeZone: string;
  buckets: readonly Bucket[];
  range: { from: Instant; to: Instant };
  all: readonly UsageSum[];
  groups: readonly SeriesGroup[];
}

export type SeriesResource = z.output<typeof seriesSchema>;

export function toSeriesResource({ query, timeZone, buckets, range, all, groups }: Series): SeriesResource {
  return {
    from: toTime(range.from),
    to: toTime(range.to),
    interval: query.interval,
    timeZone,
    groupBy: query.groupBy,
    dimension: query.dimension ?? null,
    feature: query.feature ?? null,
    customer: query.customer ?? null,
    ...shown(totalOf(all)),
    groups: groups.map(({ kind, key, sums }) => ({
      kind,
      key,
      ...shown(totalOf(sums)),
      points: sums.map((sum, place) => ({
        start: toTime(buckets[place]?.start ?? range.from),
        end: toTime(buckets[place]?.end ?? range.to),
        ...shown(sum),
      })),
    })),
  };
}

function shown(sum: UsageSum): { quantity: number; events: number } {
  return { quantity: decimalToNumber(sum.quantity), events: sum.events };
}

/** Returns the next longer interval; null after the longest. */
export function longerThan(interval: BucketInterval): BucketInterval | null {
  return BUCKET_INTERVALS[BUCKET_INTERVALS.indexOf(interval) + 1] ?? null;
}
