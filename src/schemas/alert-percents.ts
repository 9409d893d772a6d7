import { z } from 'zod';
import { ALERT_PERCENTS } from '../domain/usage-alert';

/** The percents of a quota that are notified; an empty list: none. */
export const alertPercents = z
  .array(z.int().min(ALERT_PERCENTS.least).max(ALERT_PERCENTS.most))
  .max(ALERT_PERCENTS.count)
  .refine((percents) => new Set(percents).size === percents.length, { error: 'names a percent twice' })
  .meta({ uniqueItems: true });
