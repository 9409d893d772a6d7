import { z } from 'zod';
import { ALERT_PERCENTS } from '../domain/usage-alert';

/** Percentages of a quota at which a notification is sent; empty: none. */
export const alertPercents = z
  .array(z.int().min(ALERT_PERCENTS.least).max(ALERT_PERCENTS.most))
  .max(ALERT_PERCENTS.count)
  .refine((percents) => new Set(percents).size === percents.length, {
    error: 'names a percent twice',
    params: { fix: 'Send each percentage once.' },
  })
  .meta({ uniqueItems: true });
