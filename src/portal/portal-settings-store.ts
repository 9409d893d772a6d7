import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import { DEFAULT_PORTAL_COLOUR, PORTAL_PARTS, type PortalPart } from '../domain/portal';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Logo, LogoType } from './logo';

export interface PortalSettings {
  shows: readonly PortalPart[];
  /** Slugs; null: all plans on sale. */
  plans: readonly string[] | null;
  /** Null: the organization's name. */
  name: string | null;
  /** `#rrggbb`. */
  colour: string;
  logo: Logo | null;
}

const DEFAULT_PORTAL_SETTINGS: PortalSettings = {
  shows: PORTAL_PARTS,
  plans: null,
  name: null,
  colour: DEFAULT_PORTAL_COLOUR,
  logo: null,
};

interface Row {
  shows: PortalPart[];
  plans: string[] | null;
  name: string | null;
  colour: string;
  logo: Buffer | null;
  logo_type: LogoType | null;
}

/** @returns the defaults if none were set */
export async function readPortalSettings(trx: DbTransaction, scope: WorkspaceScope): Promise<PortalSettings> {
  const row = await trx('tollgate.portal_settings')
    .where(tenantColumns(scope))
    .first<Row | undefined>('shows', 'plans', 'name', 'colour', 'logo', 'logo_type');
  if (row === undefined) return DEFAULT_PORTAL_SETTINGS;
  const { logo, logo_type: type, ...rest } = row;
  return { ...rest, logo: logo === null || type === null ? null : { type, bytes: logo } };
}

export async function savePortalSettings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { shows, plans, name, colour, logo }: PortalSettings,
  now: Instant,
): Promise<void> {
  await trx('tollgate.portal_settings')
    .insert({
      ...tenantColumns(scope),
      shows: [...shows],
      plans: plans === null ? null : [...plans],
      name,
      colour,
      logo: logo?.bytes ?? null,
      logo_type: logo?.type ?? null,
      updated_at: new Date(now),
    })
    .onConflict(['workspace_id', 'environment'])
    .merge();
}
