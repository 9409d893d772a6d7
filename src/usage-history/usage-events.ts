import type { z } from 'zod';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import {
  decodeCursor,
  encodeCursor,
  mapPage,
  pageOf,
  type CursorBinding,
  type Page,
} from '../pagination/cursor';
import { requireOrdered } from '../pagination/time-range';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { findCustomerId, findFeatureId } from './subject-store';
import {
  toUsageEventResource,
  type exportUsageEventsQuery,
  type listUsageEventsQuery,
  type UsageEventFilters,
  type UsageEventResource,
} from './usage-event-resource';
import {
  findUsageEvent,
  listUsageEvents,
  type UsageEventPart,
  type UsageEventRow,
} from './usage-event-store';

/** A use in an export, and the cursor after it. */
export interface ExportedUse {
  use: UsageEventResource;
  cursor: string;
}

export interface UsageEvents {
  /**
   * Lists uses, newest first, by the time of use.
   * @throws TollgateError cursor_invalid, feature_not_found, customer_not_found
   */
  list(actor: Actor, query: z.output<typeof listUsageEventsQuery>): Promise<Page<UsageEventResource>>;
  /** @throws TollgateError usage_event_not_found */
  get(actor: Actor, id: string): Promise<UsageEventResource>;
  /**
   * Exports all uses, oldest first, up to now if `to` is omitted. Each part is read when the previous one has been
   * consumed, in its own transaction, so a caller that stops leaves nothing open.
   *
   * @throws TollgateError cursor_invalid, feature_not_found, customer_not_found, before the first part is read
   */
  export(
    actor: Actor,
    query: z.output<typeof exportUsageEventsQuery>,
  ): Promise<AsyncGenerator<ExportedUse[], void>>;
}

/** Number of uses in memory per export. */
const EXPORT_PART = 500;
/** An export's cursor begins with a letter, so that a spreadsheet always treats it as text. */
const EXPORT_PREFIX = 'x';

export function createUsageEvents(options: { database: Database; cursorSecret: string }): UsageEvents {
  const { database, cursorSecret } = options;
  const after = (binding: CursorBinding, cursor: string | undefined): UsageEventPart['after'] => {
    if (cursor === undefined) return undefined;
    const [position, id] = decodeCursor(cursorSecret, binding, cursor);
    return { position: String(position), id: String(id) };
  };
  const cursorAfter = (binding: CursorBinding, row: UsageEventRow): string =>
    encodeCursor(cursorSecret, binding, [row.position, row.id]);
  return {
    list: ({ scope, reason }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        requireOrdered(filters);
        const binding = { ...scope, list: 'usage-events', filters: asText(filters) };
        const part = await partOf(trx, scope, filters);
        const rows = await listUsageEvents(trx, scope, {
          ...part,
          order: 'newest',
          after: after(binding, cursor),
          limit: take + 1,
        });
        const page = pageOf(rows, take, (last) => cursorAfter(binding, last));
        return mapPage(page, toUsageEventResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findUsageEvent(trx, scope, id);
        if (row !== undefined) return toUsageEventResource(row);
        throw new TollgateError(
          'usage_event_not_found',
          `There is no usage event "${id}" in this environment.`,
        );
      }),

    export: async ({ scope, reason, now }, { after: cursor, ...query }) => {
      const { customer, feature, from, to, entity, late, reversed } = query;
      const filters = { customer, feature, from, to, entity, late, reversed };
      requireOrdered(filters);
      const binding = { ...scope, list: 'usage-export', filters: asText(filters) };
      const known = cursor?.startsWith(EXPORT_PREFIX) === true ? cursor.slice(EXPORT_PREFIX.length) : cursor;
      const first = after(binding, known);
      const part = await inWorkspace(database, scope, reason, (trx) => partOf(trx, scope, filters));
      const read = (begin: UsageEventPart['after']): Promise<UsageEventRow[]> =>
        inWorkspace(database, scope, reason, (trx) =>
          listUsageEvents(trx, scope, {
            ...part,
            to: part.to ?? now,
            order: 'oldest',
            after: begin,
            limit: EXPORT_PART,
          }),
        );
      return partsOf(read, first, (row) => ({
        use: toUsageEventResource(row),
        cursor: EXPORT_PREFIX + cursorAfter(binding, row),
      }));
    },
  };
}

async function* partsOf(
  read: (after: UsageEventPart['after']) => Promise<UsageEventRow[]>,
  first: UsageEventPart['after'],
  toExported: (row: UsageEventRow) => ExportedUse,
): AsyncGenerator<ExportedUse[], void> {
  for (let after = first; ;) {
    const rows = await read(after);
    yield rows.map(toExported);
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PART) return;
    after = { position: last.position, id: last.id };
  }
}

async function partOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { customer, feature, ...filters }: UsageEventFilters,
): Promise<Omit<UsageEventPart, 'order' | 'limit'>> {
  const featureId = feature === undefined ? null : await findFeatureId(trx, scope, feature);
  const customerId = customer === undefined ? null : await findCustomerId(trx, scope, customer);
  return { ...filters, featureId, customerId };
}

/** Returns the filters that a cursor is bound to. */
function asText(filters: UsageEventFilters): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value?.toString()]));
}
