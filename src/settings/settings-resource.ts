import { z } from 'zod';
import { APPROVAL_DAYS } from '../domain/provider-work';
import { TAX_BEHAVIORS } from '../domain/tax';
import { DEFAULT_KEY_LIMITS, MAX_KEY_REQUESTS } from '../domain/key-limits';
import { isReturnOrigin } from '../domain/return-origins';
import { DEFAULT_REPORTING } from '../domain/time-of-use';
import { DEFAULT_ALERTS } from '../domain/usage-alert';
import { alertPercents } from '../schemas/alert-percents';
import { timeSchema, toTime } from '../schemas/instant';
import { currency } from '../schemas/money';
import { emailAddress, line, text } from '../schemas/text';
import { timeZoneName } from '../schemas/time-zone';
import type { StoredSettings } from './settings-store';
import { PROVIDERS } from '../domain/provider';

const MAX_RATES = 50;
const MAX_ORIGINS = 50;
const keyRequests = z.int().min(1).max(MAX_KEY_REQUESTS);
const days = z.int().min(0).max(3650);

const timeZone = timeZoneName.meta({
  example: 'Europe/Berlin',
  description:
    'IANA name. New subscriptions start in it and keep it; those that a payment provider bills are counted in UTC.',
});

const taxRate = z.strictObject({
  name: line({ min: 1, max: 100 }).meta({ example: 'VAT' }),
  rate: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, {
      error: 'is not a fraction from "0" to "1" as text, with at most six decimals',
    })
    .meta({ example: '0.19', description: 'A fraction as text: "0.19" is 19 %.' }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'is not a country code of two capital letters (ISO 3166-1)' })
    .optional()
    .meta({
      example: 'DE',
      description:
        'The rate applies to customers of this country (`country` in their metadata). A rate without a country applies to customers whose country has no rate here, or is not known.',
    }),
});

/** An origin as browsers write it: scheme, host, and a port if it is not the scheme's default. */
const originInput = z
  .string()
  .max(300)
  .refine((written) => URL.canParse(written) && isReturnOrigin(written), {
    error: 'is not an origin such as https://app.example.com, without a path (http on loopback alone)',
    params: { fix: 'Send only the scheme, the host and, if it is not the default, the port.' },
  });

const invoiceProfile = z.strictObject({
  legalName: line({ min: 1, max: 200 }).optional(),
  address: text({ min: 1, max: 500 }).optional(),
  taxId: line({ min: 1, max: 50 }).optional(),
  email: emailAddress.optional(),
  footer: text({ min: 1, max: 1000 }).optional(),
});

const fields = {
  defaultCurrency: currency,
  timeZone,
  taxBehavior: z.enum(TAX_BEHAVIORS).meta({
    description: 'exclusive: tax is added to prices; inclusive: prices contain it; none: no tax.',
  }),
  taxRates: z
    .array(taxRate)
    .max(MAX_RATES)
    .refine(areDistinct, {
      error: 'has two rates of one name and country',
      params: { fix: 'Remove one of them, or change its name or country.' },
    }),
  invoiceProfile,
  defaultProvider: z.enum(PROVIDERS),
  pastDueAfterDays: days.meta({
    description: 'Days after which an unpaid transaction makes its subscription past due.',
  }),
  graceDays: days.meta({ description: 'Days for which a past-due subscription still grants access.' }),
  expireAfterDays: days.meta({
    description: 'Days after which a past-due subscription expires; at least graceDays.',
  }),
  approvalDays: z.int().min(1).max(30).meta({
    description: 'Days that a customer has to approve a change, if the payment provider requires approval.',
  }),
  keyRequestsPerSecond: keyRequests.meta({
    description: 'Requests per second that each secret key may send, across all processes.',
  }),
  keyConcurrentRequests: keyRequests.meta({
    description: 'Concurrent requests allowed for each secret key.',
  }),
  usageReportedDays: z.int().min(0).max(366).meta({
    description: 'How many days back usage may be reported; 0: the 5 minutes by which clocks may differ.',
  }),
  usageGraceMinutes: z.int().min(0).max(10_080).meta({
    description: 'Minutes for which a usage period stays open after its end; usage reported later is late.',
  }),
  usageAlertPercents: alertPercents.meta({
    description:
      'Percentages of a quota that trigger `USAGE_THRESHOLD_REACHED`, once per usage period, and again if the quota changes; above 100 for overage. Empty: none. Entitlements and customers may have their own.',
    example: DEFAULT_ALERTS.usagePercents,
  }),
  creditsLowPercent: z.int().min(1).max(99).nullable().meta({
    description:
      '`CREDITS_LOW` is sent when at most this percentage of the granted credits remains; once, until there is a new grant. null: never.',
  }),
  returnOrigins: z
    .array(originInput)
    .max(MAX_ORIGINS)
    .refine((origins) => new Set(origins).size === origins.length, {
      error: 'names an origin twice',
      params: { fix: 'Name each origin once.' },
    })
    .meta({
      description:
        'Origins to which a checkout and the customer’s page may send the customer back. Empty: any in a sandbox, none in production.',
      example: ['https://app.example.com'],
    }),
};

/** All settings, as accepted by PUT. */
export const settingsInput = z.strictObject({
  ...fields,
  approvalDays: fields.approvalDays.default(APPROVAL_DAYS),
  returnOrigins: fields.returnOrigins.default([]),
  keyRequestsPerSecond: fields.keyRequestsPerSecond.default(DEFAULT_KEY_LIMITS.requestsPerSecond),
  keyConcurrentRequests: fields.keyConcurrentRequests.default(DEFAULT_KEY_LIMITS.concurrentRequests),
  usageReportedDays: fields.usageReportedDays.default(DEFAULT_REPORTING.reportedDays),
  usageGraceMinutes: fields.usageGraceMinutes.default(DEFAULT_REPORTING.graceMinutes),
  usageAlertPercents: fields.usageAlertPercents.default(DEFAULT_ALERTS.usagePercents),
  creditsLowPercent: fields.creditsLowPercent.default(DEFAULT_ALERTS.creditsLowPercent),
});
/** Some settings, as accepted by PATCH. Each one sent replaces the stored value as a whole. */
export const settingsPatch = z.strictObject(fields).partial();

export const settingsSchema = z
  .object({ ...fields, updatedAt: timeSchema })
  .meta({ id: 'WorkspaceSettings' });

export type SettingsResource = z.output<typeof settingsSchema>;

export function toSettingsResource({ updatedAt, ...settings }: StoredSettings): SettingsResource {
  return { ...settings, updatedAt: toTime(updatedAt) };
}

function areDistinct(rates: readonly { name: string; country?: string | undefined }[]): boolean {
  return new Set(rates.map(({ name, country }) => `${country ?? ''} ${name}`)).size === rates.length;
}
