import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { changedMembers, isNothing } from '../audit/changed-members';
import type { Database } from '../db/pools';
import { refuseDuplicate } from '../db/unique-violation';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import {
  toPlanGroupResource,
  type createPlanGroupInput,
  type listPlanGroupsQuery,
  type PlanGroupResource,
  type updatePlanGroupInput,
} from './plan-group-resource';
import {
  findPlanGroup,
  insertPlanGroup,
  listPlanGroups,
  updatePlanGroup,
  type PlanGroupRow,
} from './plan-group-store';

export interface PlanGroups {
  list(actor: Actor, query: z.output<typeof listPlanGroupsQuery>): Promise<Page<PlanGroupResource>>;
  /** @throws TollgateError plan_group_not_found */
  get(actor: Actor, id: string): Promise<PlanGroupResource>;
  /** @throws TollgateError resource_conflict on the slug */
  create(actor: Actor, input: z.output<typeof createPlanGroupInput>): Promise<PlanGroupResource>;
  /** @throws TollgateError plan_group_not_found, resource_conflict on the slug */
  update(actor: Actor, id: string, input: z.output<typeof updatePlanGroupInput>): Promise<PlanGroupResource>;
  /**
   * Archives or unarchives a group. An archived group takes no new plans, and its plans take no new subscriptions;
   * existing ones are unchanged. Idempotent.
   *
   * @throws TollgateError plan_group_not_found
   */
  setArchived(actor: Actor, id: string, archived: boolean): Promise<PlanGroupResource>;
}

export function createPlanGroups(options: { database: Database; cursorSecret: string }): PlanGroups {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, archived, search }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const filters = { archived: archived?.toString(), search };
        const list = { secret: cursorSecret, scope, list: 'plan-groups', filters, take, cursor, from, to };
        const page = await pageById(list, (part) =>
          listPlanGroups(trx, scope, { ...part, ...omitUndefined({ archived, search }) }),
        );
        return mapPage(page, toPlanGroupResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toPlanGroupResource(required(await findPlanGroup(trx, scope, id), id)),
      ),

    create: (actor, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const at = { createdAt: actor.now, updatedAt: actor.now, archivedAt: null };
        const group: PlanGroupRow = { id: newIdentifier('planGroup'), ...input, ...at };
        const row = await refuseDuplicate('slug', input.slug, () => insertPlanGroup(trx, actor.scope, group));
        await recordAudit(trx, actor, { action: 'plan_group.created', target: row.id, detail: input });
        return toPlanGroupResource(row);
      }),

    update: (actor, id, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const group = required(await findPlanGroup(trx, actor.scope, id, 'lock'), id);
        const change = changedMembers(group, omitUndefined(input));
        if (isNothing(change)) return toPlanGroupResource(group);
        const row = await refuseDuplicate('slug', input.slug ?? '', () =>
          updatePlanGroup(trx, actor.scope, id, { ...change, updatedAt: actor.now }),
        );
        await recordAudit(trx, actor, { action: 'plan_group.updated', target: id, detail: change });
        return toPlanGroupResource(required(row, id));
      }),

    setArchived: (actor, id, archived) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const group = required(await findPlanGroup(trx, actor.scope, id, 'lock'), id);
        if ((group.archivedAt !== null) === archived) return toPlanGroupResource(group);
        const change = { archivedAt: archived ? actor.now : null, updatedAt: actor.now };
        const row = await updatePlanGroup(trx, actor.scope, id, change);
        const action = archived ? 'plan_group.archived' : 'plan_group.unarchived';
        await recordAudit(trx, actor, { action, target: id });
        return toPlanGroupResource(required(row, id));
      }),
  };
}

function required(group: PlanGroupRow | undefined, id: string): PlanGroupRow {
  if (group !== undefined) return group;
  throw new TollgateError('plan_group_not_found', `There is no plan group "${id}" in this environment.`);
}
