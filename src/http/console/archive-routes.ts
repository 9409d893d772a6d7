import type { z } from 'zod';
import type { ErrorCode } from '../../domain/errors';
import { idParams } from '../../schemas/text';
import type { Actor } from '../../tenancy/actor';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

interface Archivable {
  /** Path of the collection: `/api/plans`. */
  path: string;
  tag: string;
  /** As used in a sentence: `plan group`. */
  noun: string;
  /** As used in `operationId`: `PlanGroup`. */
  resource: string;
  schema: z.ZodType;
  notFound: ErrorCode;
  /** Descriptions of both directions. */
  archives: string;
  unarchives: string;
  collection: { setArchived(actor: Actor, id: string, archived: boolean): Promise<unknown> };
}

/** `POST {path}/{id}/archive` and `…/unarchive`. */
export function archiveRoutes(resource: Archivable): Route[] {
  return [archiveRoute(resource, 'archive'), archiveRoute(resource, 'unarchive')];
}

function archiveRoute(of: Archivable, verb: 'archive' | 'unarchive'): Route {
  const archived = verb === 'archive';
  return workspaceRoute({
    method: 'post',
    path: `${of.path}/{id}/${verb}`,
    operationId: `${verb}${of.resource}`,
    summary: archived ? `Archive a ${of.noun}` : `Unarchive a ${of.noun}`,
    description: archived ? of.archives : of.unarchives,
    tag: of.tag,
    access: 'operator',
    role: 'developer',
    params: idParams,
    responses: { 200: { description: `The ${of.noun}`, schema: of.schema } },
    errors: [of.notFound],
    answer: (actor, { params }) => of.collection.setArchived(actor, params.id, archived),
  });
}
