import { recordOrganizationAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { inOrganization } from '../db/workspace-transaction';
import { notEnrolled } from '../second-factor/code-proof';
import { hasSecondFactor } from '../second-factor/second-factor-store';
import { createOrganization } from './create-organization';
import type { Memberships } from './membership-service';
import { toOrganizationResource, type OrganizationResource } from './organization-resource';
import {
  findOrganization,
  renameOrganization,
  setSecondFactorRequired,
  type OrganizationRow,
} from './organization-store';
import { asMember, changeMembership, type OrganizationOperator } from './organization-transaction';

/** The organizations that operators belong to. */
export interface Organizations {
  /** Lists those of one operator, with the operator's role in each, oldest first. */
  listFor(operatorId: string): Promise<OrganizationResource[]>;
  /** @throws TollgateError organization_forbidden if the operator is not a member */
  get(actor: OrganizationOperator): Promise<OrganizationResource>;
  /**
   * Creates an organization owned by the calling operator.
   *
   * @throws TollgateError resource_conflict if the slug is taken
   */
  create(
    actor: Omit<OrganizationOperator, 'workspaceId'>,
    input: { name: string; slug?: string | undefined },
  ): Promise<OrganizationResource>;
  /** @throws TollgateError organization_forbidden, role_forbidden */
  rename(actor: OrganizationOperator, name: string): Promise<OrganizationResource>;
  /**
   * Sets whether members need a second factor. The caller must have one, or they would lock themselves out.
   *
   * @throws TollgateError organization_forbidden, role_forbidden, second_factor_not_enrolled
   */
  requireSecondFactor(actor: OrganizationOperator, isRequired: boolean): Promise<OrganizationResource>;
}

export function createOrganizations(dependencies: {
  database: Database;
  memberships: Memberships;
}): Organizations {
  const { database, memberships } = dependencies;
  return {
    async listFor(operatorId) {
      const found: OrganizationResource[] = [];
      for (const { workspaceId, role } of await memberships.of(operatorId)) {
        // One transaction each, because row-level security shows one organization at a time.
        const row = await inOrganization(database, workspaceId, 'OPERATOR', (trx) =>
          findOrganization(trx, workspaceId),
        );
        found.push(toOrganizationResource(existing(row), role));
      }
      return found;
    },

    get: (actor) =>
      asMember(database, actor, 'viewer', async (trx, role) =>
        toOrganizationResource(existing(await findOrganization(trx, actor.workspaceId)), role),
      ),

    async create(actor, input) {
      const { operatorId: ownerId, receivedAt: now, reason, ip } = actor;
      const row = await database.transaction((trx) =>
        createOrganization(trx, { ...input, ownerId, reason, ip, now }),
      );
      return toOrganizationResource(row, 'owner');
    },

    rename: (actor, name) =>
      changeMembership(database, actor, 'admin', async (trx, role) => {
        const { workspaceId } = actor;
        const before = existing(await findOrganization(trx, workspaceId));
        if (before.name === name) return toOrganizationResource(before, role);
        await renameOrganization(trx, workspaceId, name);
        await recordOrganizationAudit(trx, actor, {
          action: 'organization.renamed',
          target: workspaceId,
          detail: { from: before.name, to: name },
        });
        return toOrganizationResource({ ...before, name }, role);
      }),

    requireSecondFactor: (actor, isRequired) =>
      changeMembership(database, actor, 'owner', async (trx, role) => {
        const { workspaceId } = actor;
        const before = existing(await findOrganization(trx, workspaceId));
        if (before.require_second_factor === isRequired) return toOrganizationResource(before, role);
        if (isRequired && !(await hasSecondFactor(trx, actor.operatorId))) throw notEnrolled();
        await setSecondFactorRequired(trx, workspaceId, isRequired);
        await recordOrganizationAudit(trx, actor, {
          action: 'organization.second_factor_requirement_changed',
          target: workspaceId,
          detail: { required: isRequired },
        });
        return toOrganizationResource({ ...before, require_second_factor: isRequired }, role);
      }),
  };
}

/** Memberships reference their organization by a foreign key, so it exists. */
function existing(row: OrganizationRow | undefined): OrganizationRow {
  if (row === undefined) throw new Error('A membership refers to an organization that does not exist.');
  return row;
}
