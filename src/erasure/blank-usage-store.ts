import { textArray } from '../db/parameters';
import { ERASED_WORD, KEPT_SOURCES } from '../domain/erasure';
import { mentions } from '../domain/mention';
import { forgetValuesOf, takeOutOfValues } from '../usage-history/forget-values-store';
import type { BlankBatch } from './blanking';

const BATCH = 5_000;

/** Follows every key, which has visible ASCII characters only: all uses are blanked, and sums by value are left. */
const AFTER_KEYS = '\u007f';

/**
 * Blanks the customer's uses, scanning those of the whole workspace in the order of their keys. Quantity, instant and
 * source of the units remain; properties are deleted, with the values that sums are grouped by. Sending one of the keys
 * again is refused, except for a key that names the customer: it is replaced, and free again.
 */
export const blankUsage: BlankBatch = async ({ trx, scope, customerId, names }, after) => {
  if (after === AFTER_KEYS) {
    const isMore = await forgetValuesOf(trx, scope, customerId, BATCH);
    return { blanked: {}, after: isMore ? AFTER_KEYS : null };
  }
  const { rows } = await trx.raw<{
    rows: { key: string; id: string; isOwn: boolean; isBlank: boolean }[];
  }>(
    `SELECT idempotency_key AS key, id, customer_id = :customerId AS "isOwn", octet_length(fingerprint) = 0 AS "isBlank"
       FROM tollgate.usage_events
      WHERE workspace_id = :workspaceId AND environment = :environment AND idempotency_key > :after
      ORDER BY idempotency_key LIMIT ${BATCH}`,
    { ...scope, customerId, after: after ?? '' },
  );
  const own = rows.filter(({ isOwn, isBlank }) => isOwn && !isBlank);
  if (own.length > 0) {
    await takeOutOfValues(
      trx,
      scope,
      own.map(({ id }) => id),
    );
    await trx.raw(
      `UPDATE tollgate.usage_events e
          SET idempotency_key = q.key, fingerprint = '', answer = '{}', properties = NULL, entity = NULL,
              source = CASE WHEN e.source = ANY (:sources::text[]) THEN e.source ELSE :erasedWord END
         FROM unnest(:before::text[], :keys::text[]) AS q (before, key)
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.idempotency_key = q.before`,
      {
        ...scope,
        before: textArray(own.map(({ key }) => key)),
        keys: textArray(own.map(({ key, id }) => (mentions(key, names) ? `${ERASED_WORD}_${id}` : key))),
        sources: textArray(KEPT_SOURCES),
        erasedWord: ERASED_WORD,
      },
    );
  }
  return {
    blanked: { usage: own.length },
    after: rows.length < BATCH ? AFTER_KEYS : (rows.at(-1)?.key ?? null),
  };
};
