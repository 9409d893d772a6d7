import { rowsAs, together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import type { TaxBehavior, TaxRate } from '../domain/tax';
import type { WakeSetting } from '../domain/wake-inputs';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Provider } from '../domain/provider';

/** Sender's details on an invoice. */
interface InvoiceProfile {
  legalName?: string | undefined;
  address?: string | undefined;
  taxId?: string | undefined;
  email?: string | undefined;
  footer?: string | undefined;
}

/**
 * Billing settings of a workspace in one environment. Settings that move an instant for which a subscription waits have
 * the same names as in LifecycleView.
 */
export interface Settings extends Pick<LifecycleView, WakeSetting> {
  defaultCurrency: string;
  /** IANA name. New subscriptions keep the zone they started with. */
  timeZone: string;
  taxBehavior: TaxBehavior;
  taxRates: TaxRate[];
  invoiceProfile: InvoiceProfile;
  defaultProvider: Provider;
  graceDays: number;
  /** How long a customer has to approve a change at a provider that requires approval. */
  approvalDays: number;
  /** Maximum number of requests per second of each secret key, over all processes. */
  keyRequestsPerSecond: number;
  /** Maximum number of its requests in progress at once. */
  keyConcurrentRequests: number;
  /** How many days back a use may be reported. */
  usageReportedDays: number;
  /** Minutes for which a usage period stays open after its end. */
  usageGraceMinutes: number;
  /** Percentages of a quota at which a notification is sent; empty: none. */
  usageAlertPercents: number[];
  /** Percentage of the granted credits that counts as low; null: no notification. */
  creditsLowPercent: number | null;
  /** Origins to which a checkout and the customer's page may return; empty: any in a sandbox, none in production. */
  returnOrigins: string[];
}

interface SettingsRow {
  default_currency: string;
  time_zone: string;
  tax_behavior: Settings['taxBehavior'];
  tax_rates: TaxRate[];
  invoice_profile: InvoiceProfile;
  default_provider: Provider;
  past_due_after_days: number;
  grace_days: number;
  expire_after_days: number;
  approval_days: number;
  return_origins: string[];
  key_requests_per_second: number;
  key_concurrent_requests: number;
  usage_reported_days: number;
  usage_grace_minutes: number;
  usage_alert_percents: number[];
  credits_low_percent: number | null;
  updated_at: Instant;
}

const COLUMNS = [
  'default_currency',
  'time_zone',
  'tax_behavior',
  'tax_rates',
  'invoice_profile',
  'default_provider',
  'past_due_after_days',
  'grace_days',
  'expire_after_days',
  'approval_days',
  'return_origins',
  'key_requests_per_second',
  'key_concurrent_requests',
  'usage_reported_days',
  'usage_grace_minutes',
  'usage_alert_percents',
  'credits_low_percent',
  'updated_at',
] as const satisfies (keyof SettingsRow)[];

export interface StoredSettings extends Settings {
  updatedAt: Instant;
}

/**
 * Reads the settings of one environment. Every organization has them from its start.
 *
 * @param lock keeps them from changing until the transaction ends
 */
export async function readSettings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  lock: 'for update' | 'none' = 'none',
): Promise<StoredSettings> {
  const { workspaceId, environment } = scope;
  const locked = lock === 'for update';
  const call: Call<SettingsRow | undefined> = {
    name: locked ? 'lock_settings' : 'settings',
    text: `SELECT ${COLUMNS.join(', ')} FROM tollgate.workspace_settings
            WHERE workspace_id = $1 AND environment = $2${locked ? ' FOR UPDATE' : ''}`,
    values: [workspaceId, environment],
    read: (rows) => rowsAs<SettingsRow>(rows)[0],
  };
  const [row] = await together(trx, [call]);
  if (row === undefined) throw new Error(`The workspace ${workspaceId} has no ${environment} settings.`);
  return toSettings(row);
}

function toSettings(row: SettingsRow): StoredSettings {
  return {
    defaultCurrency: row.default_currency,
    timeZone: row.time_zone,
    taxBehavior: row.tax_behavior,
    taxRates: row.tax_rates,
    invoiceProfile: row.invoice_profile,
    defaultProvider: row.default_provider,
    pastDueAfterDays: row.past_due_after_days,
    graceDays: row.grace_days,
    expireAfterDays: row.expire_after_days,
    approvalDays: row.approval_days,
    returnOrigins: row.return_origins,
    keyRequestsPerSecond: row.key_requests_per_second,
    keyConcurrentRequests: row.key_concurrent_requests,
    usageReportedDays: row.usage_reported_days,
    usageGraceMinutes: row.usage_grace_minutes,
    usageAlertPercents: row.usage_alert_percents,
    creditsLowPercent: row.credits_low_percent,
    updatedAt: row.updated_at,
  };
}

export async function insertSettings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  settings: Settings,
  now: Instant,
): Promise<void> {
  await trx('tollgate.workspace_settings').insert({
    ...tenantColumns(scope),
    ...columnsOf(settings, now),
  });
}

export async function updateSettings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  settings: Settings,
  now: Instant,
): Promise<void> {
  await trx('tollgate.workspace_settings').where(tenantColumns(scope)).update(columnsOf(settings, now));
}

function columnsOf(settings: Settings, now: Instant): Record<string, unknown> {
  return {
    default_currency: settings.defaultCurrency,
    time_zone: settings.timeZone,
    tax_behavior: settings.taxBehavior,
    tax_rates: JSON.stringify(settings.taxRates),
    invoice_profile: JSON.stringify(settings.invoiceProfile),
    default_provider: settings.defaultProvider,
    past_due_after_days: settings.pastDueAfterDays,
    grace_days: settings.graceDays,
    expire_after_days: settings.expireAfterDays,
    approval_days: settings.approvalDays,
    return_origins: settings.returnOrigins,
    key_requests_per_second: settings.keyRequestsPerSecond,
    key_concurrent_requests: settings.keyConcurrentRequests,
    usage_reported_days: settings.usageReportedDays,
    usage_grace_minutes: settings.usageGraceMinutes,
    usage_alert_percents: settings.usageAlertPercents,
    credits_low_percent: settings.creditsLowPercent,
    updated_at: new Date(now),
  };
}
