import { textArray } from '../db/parameters';
import { ERASED_TEXT, ERASED_WORD, KEPT_SOURCES } from '../domain/erasure';
import { EVENT_TYPES } from '../domain/event-types';
import type { BlankBatch, BlankedBatch, Blanking } from './blanking';
import { eventDataOf, jsonBindings, namesOneOfIds } from './erased-json-store';

const BATCH = 2_000;

/** Events that carry the customer's id, which is indexed. They are nearly all events. */
const OF_USAGE: readonly string[] = [
  ...['USAGE_CHECKED', 'USAGE_TRACKED', 'ENTITLEMENT_DENIED', 'USAGE_THRESHOLD_REACHED', 'CREDITS_LOW'],
];
const OTHER_TYPES = EVENT_TYPES.filter((type) => !OF_USAGE.includes(type));

/** Blanks the events that carry the customer's id. */
export const blankEvents: BlankBatch = (work, after) =>
  blankPage(work, `e.data ->> 'customerId' = :customerId`, 'true', after);

/**
 * Blanks the events that refer to the customer only by the id of something that belongs to it. It scans each type's
 * events, using the index on all types except usage.
 */
export const blankBillingEvents: BlankBatch = async (work, after) => {
  const [type = OTHER_TYPES[0] ?? '', position = ''] = after === null ? [] : after.split('|', 2);
  const known = OTHER_TYPES.find((one) => one === type);
  if (known === undefined) return { blanked: {}, after: null };
  const from = position === '' ? null : position;
  // The type is a literal, because the planner cannot match a parameter to the partial index.
  const page = await blankPage(work, `e.type = '${known}'`, namesOneOfIds('p.data::text'), from);
  if (page.after !== null) return { ...page, after: `${known}|${page.after}` };
  const next = OTHER_TYPES[OTHER_TYPES.indexOf(known) + 1];
  return { ...page, after: next === undefined ? null : `${next}|` };
};

/** @param after the instant and the id of the last event, separated by a space */
async function blankPage(
  { trx, scope, customerId, ids }: Blanking,
  inPage: string,
  isToBlank: string,
  after: string | null,
): Promise<BlankedBatch> {
  const [id = '', ...instant] = (after ?? '-infinity ').split(' ').reverse();
  const { rows } = await trx.raw<{ rows: [{ blanked: string; read: string; last: string | null }] }>(
    `WITH page AS (
       SELECT e.created_at, e.id, e.data, e.message FROM tollgate.developer_events e
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND ${inPage}
          AND (e.created_at, e.id) > (:instant::timestamptz, :id)
        ORDER BY e.created_at, e.id LIMIT ${BATCH}),
     done AS (
       UPDATE tollgate.developer_events e
          SET message = :erased, data = (${eventDataOf('e.data::jsonb')})::json,
              source = CASE WHEN e.source = ANY (:sources::text[]) THEN e.source ELSE :erasedWord END
         FROM page p
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.created_at = p.created_at AND e.id = p.id
          AND p.message <> :erased AND ${isToBlank}
       RETURNING 1)
     SELECT (SELECT count(*) FROM done) AS blanked, (SELECT count(*) FROM page) AS read,
            (SELECT created_at::text || ' ' || id FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last`,
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
