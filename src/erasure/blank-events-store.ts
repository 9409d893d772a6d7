import { textArray } from '../db/parameters';
import { tenantCondition } from '../db/tenant-columns';
import { ERASED_TEXT, ERASED_WORD, KEPT_SOURCES } from '../domain/erasure';
import { EVENT_TYPES } from '../domain/event-types';
import type { BlankBatch, BlankedBatch, Blanking } from './blanking';
import { eventDataOf, jsonBindings, namesOneOfIds } from './erased-json-store';

const BATCH = 2_000;

/** Events that carry the customer's id, which is indexed. They are nearly all events. */
const TYPES_WITH_CUSTOMER_ID: readonly string[] = [
  ...['USAGE_CHECKED', 'USAGE_TRACKED', 'ENTITLEMENT_DENIED', 'USAGE_THRESHOLD_REACHED', 'CREDITS_LOW'],
];
const OTHER_TYPES = EVENT_TYPES.filter((type) => !TYPES_WITH_CUSTOMER_ID.includes(type));

const TENANT_CONDITION = tenantCondition('e');

/** Marks a position of events in descending order. */
const BEFORE = 'before ';

/**
 * Blanks the events that carry the customer's id, newest first. It finds them through a function, because row-level
 * security keeps a query from using their index. A position of an earlier version, in ascending order, begins anew.
 */
export const blankEvents: BlankBatch = async (work, after) => {
  const position = after?.startsWith(BEFORE) === true ? after.slice(BEFORE.length) : 'infinity ';
  const found = `
    SELECT e.created_at, e.id, e.data, e.message
      FROM tollgate.find_customer_events(CAST(:customerId AS text), '-infinity', 'infinity', CAST(:instant AS timestamptz), :id,
             ${BATCH}) AS found
      JOIN tollgate.developer_events e ON ${TENANT_CONDITION} AND e.created_at = found.created_at AND e.id = found.id`;
  const page = await blankPage(work, { page: found, order: 'DESC' }, 'true', position);
  return { ...page, after: page.after === null ? null : BEFORE + page.after };
};

/**
 * Blanks the events that refer to the customer only by the id of something that belongs to it. It scans each type's
 * events, using the index on all types except usage.
 */
export const blankBillingEvents: BlankBatch = async (work, after) => {
  const [type = OTHER_TYPES[0] ?? '', last = ''] = after === null ? [] : after.split('|', 2);
  const known = OTHER_TYPES.find((one) => one === type);
  if (known === undefined) return { blanked: {}, after: null };
  // The type is a literal, because the planner cannot match a parameter to the partial index.
  const ofType = `
    SELECT e.created_at, e.id, e.data, e.message FROM tollgate.developer_events e
     WHERE ${TENANT_CONDITION} AND e.type = '${known}' AND (e.created_at, e.id) > (CAST(:instant AS timestamptz), :id)
     ORDER BY e.created_at, e.id LIMIT ${BATCH}`;
  const position = last === '' ? '-infinity ' : last;
  const page = await blankPage(work, { page: ofType, order: 'ASC' }, namesOneOfIds('p.data::text'), position);
  if (page.after !== null) return { ...page, after: `${known}|${page.after}` };
  const next = OTHER_TYPES[OTHER_TYPES.indexOf(known) + 1];
  return { ...page, after: next === undefined ? null : `${next}|` };
};

/**
 * The events are updated by arrays of their keys. A partition that is new, or was restored, has no statistics: the
 * planner takes it for empty, and would read it for each event of a page that it expects to have one.
 *
 * @param page selects at most BATCH events after `:instant` and `:id`
 * @param position the instant and the id of the last event, separated by a space
 */
async function blankPage(
  { trx, scope, customerId, ids }: Blanking,
  { page, order }: { page: string; order: 'ASC' | 'DESC' },
  isToBlank: string,
  position: string,
): Promise<BlankedBatch> {
  const [id = '', ...instant] = position.split(' ').reverse();
  const fromEnd = order === 'ASC' ? 'DESC' : 'ASC';
  const { rows } = await trx.raw<{ rows: [{ blanked: string; read: string; last: string | null }] }>(
    `WITH page AS MATERIALIZED (${page}),
     own AS MATERIALIZED (
       SELECT array_agg(p.created_at) AS instants, array_agg(p.id) AS ids FROM page p
        WHERE p.message <> :erased AND ${isToBlank}),
     done AS (
       UPDATE tollgate.developer_events e
          SET message = :erased, data = (${eventDataOf('e.data::jsonb')})::json,
              source = CASE WHEN e.source = ANY (:sources::text[]) THEN e.source ELSE :erasedWord END
         FROM own, unnest(own.instants, own.ids) AS q (created_at, id)
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.created_at = q.created_at AND e.id = q.id
       RETURNING 1)
     SELECT (SELECT count(*) FROM done) AS blanked, (SELECT count(*) FROM page) AS read,
            (SELECT created_at::text || ' ' || id FROM page ORDER BY created_at ${fromEnd}, id ${fromEnd} LIMIT 1) AS last`,
    {
      ...scope,
      ...jsonBindings(customerId),
      customerId,
      instant: instant.reverse().join(' '),
      id,
      ids: textArray(ids),
      erased: ERASED_TEXT,
      erasedWord: ERASED_WORD,
      sources: textArray(KEPT_SOURCES),
    },
  );
  const [{ blanked, read, last }] = rows;
  return { blanked: { events: Number(blanked) }, after: Number(read) < BATCH ? null : last };
}
