import { randomBytes } from 'node:crypto';
import { recordOrganizationAudit } from '../audit/audit-store';
import type { DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { APPROVAL_DAYS } from '../domain/provider-work';
import { DEFAULT_KEY_LIMITS } from '../domain/key-limits';
import { DEFAULT_REPORTING } from '../domain/time-of-use';
import { DEFAULT_ALERTS } from '../domain/usage-alert';
import { newIdentifier } from '../identifiers/identifier';
import { insertSettings, type Settings } from '../settings/settings-store';
import type { TransactionReason } from '../tenancy/actor';
import { insertMember } from './member-store';
import { insertOrganization, type OrganizationRow } from './organization-store';

const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'production'];

/** The organization to create, and its owner. */
interface NewOrganization {
  name: string;
  /** Derived from the name if omitted. */
  slug?: string | undefined;
  /** The operator who is its first owner. */
  ownerId: string;
  reason: TransactionReason;
  ip: string | null;
  now: Instant;
}

/**
 * Creates an organization in the open transaction, with its first owner and the default settings of both environments.
 *
 * @throws TollgateError resource_conflict if the given slug is taken
 */
export async function createOrganization(
  trx: DbTransaction,
  input: NewOrganization,
): Promise<OrganizationRow> {
  const { name, ownerId, reason, ip, now } = input;
  const workspaceId = newIdentifier('organization');
  await setContext(trx, workspaceId, '', reason);
  const organization = await insertUnderFreeSlug(
    trx,
    { workspace_id: workspaceId, name, created_at: now },
    input.slug,
  );
  await insertMember(trx, { workspaceId, operatorId: ownerId, role: 'owner', now });
  await recordOrganizationAudit(
    trx,
    { workspaceId, operatorId: ownerId, reason, ip, receivedAt: now },
    { action: 'organization.created', target: workspaceId, detail: { name, slug: organization.slug } },
  );
  for (const environment of ENVIRONMENTS) {
    await setContext(trx, workspaceId, environment, reason);
    await insertSettings(trx, { workspaceId, environment }, DEFAULT_SETTINGS, now);
  }
  return organization;
}

async function insertUnderFreeSlug(
  trx: DbTransaction,
  organization: Omit<OrganizationRow, 'slug' | 'require_second_factor'>,
  wanted: string | undefined,
): Promise<OrganizationRow> {
  const first = wanted ?? slugOf(organization.name);
  if (await insertOrganization(trx, { ...organization, slug: first }))
    return { ...organization, slug: first, require_second_factor: false };
  if (wanted !== undefined) {
    throw new TollgateError('resource_conflict', `The slug "${wanted}" is already taken.`, {
      errors: [{ pointer: '/slug', message: 'is already taken', fix: 'Choose another one.' }],
    });
  }
  const slug = `${first}-${randomBytes(4).toString('hex')}`;
  if (!(await insertOrganization(trx, { ...organization, slug })))
    throw new Error(`The slug ${slug} is taken.`);
  return { ...organization, slug, require_second_factor: false };
}

/** Turns `Acme GmbH & Co.` into `acme-gmbh-co`. */
function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 50).replace(/-$/, '') || 'organization';
}

/**
 * Initial settings of a new organization's sandbox and production, so that it works before it is set up. A payment may
 * be a week late before its subscription is past due, access continues for a further week, and after a month the
 * subscription expires.
 */
const DEFAULT_SETTINGS: Settings = {
  defaultCurrency: 'USD',
  timeZone: 'UTC',
  taxBehavior: 'none',
  taxRates: [],
  invoiceProfile: {},
  defaultProvider: 'internal',
  pastDueAfterDays: 7,
  graceDays: 7,
  expireAfterDays: 30,
  approvalDays: APPROVAL_DAYS,
  returnOrigins: [],
  keyRequestsPerSecond: DEFAULT_KEY_LIMITS.requestsPerSecond,
  keyConcurrentRequests: DEFAULT_KEY_LIMITS.concurrentRequests,
  usageReportedDays: DEFAULT_REPORTING.reportedDays,
  usageGraceMinutes: DEFAULT_REPORTING.graceMinutes,
  usageAlertPercents: DEFAULT_ALERTS.usagePercents,
  creditsLowPercent: DEFAULT_ALERTS.creditsLowPercent,
};
