import { textArray } from '../db/parameters';
import { ERASED_TEXT, ERASED_WORD } from '../domain/erasure';
import { mentions } from '../domain/mention';
import { newIdentifier } from '../identifiers/identifier';
import type { BlankBatch, Blanking } from './blanking';
import { jsonBindings, namesOneOfIds } from './erased-json-store';

const BATCH = 1_000;

/**
 * Blanks commands on what belongs to the customer. None of them is open: none was when the erasure began, and new ones
 * are refused from then on.
 */
export const blankOperations: BlankBatch = async (work, after) => {
  const { trx, scope, ids, names } = work;
  const { rows } = await trx.raw<{ rows: { id: string; key: string; isOwn: boolean }[] }>(
    `SELECT id, idempotency_key AS key, octet_length(fingerprint) > 0
            AND (target_id = ANY (:ids::text[]) OR coalesce(subscription_id = ANY (:ids::text[]), false)) AS "isOwn"
       FROM tollgate.operations
      WHERE workspace_id = :workspaceId AND environment = :environment AND id > :after
      ORDER BY id LIMIT ${BATCH}`,
    { ...scope, ids: textArray(ids), after: after ?? '' },
  );
  const own = rows.filter(({ isOwn }) => isOwn);
  const renamed = own.map(({ id, key }) => ({
    key,
    to: mentions(key, names) ? `${ERASED_WORD}_${id}` : key,
  }));
  if (own.length > 0) {
    await trx.raw(
      `UPDATE tollgate.operations o
          SET idempotency_key = q.key, fingerprint = '', input = '{}',
              problem = CASE WHEN problem IS NOT NULL
                             THEN jsonb_build_object('code', problem -> 'code', 'detail', :erased::text) END
         FROM unnest(:before::text[], :keys::text[]) AS q (before, key)
        WHERE o.workspace_id = :workspaceId AND o.environment = :environment AND o.idempotency_key = q.before`,
      {
        ...scope,
        before: textArray(renamed.map(({ key }) => key)),
        keys: textArray(renamed.map(({ to }) => to)),
        erased: ERASED_TEXT,
      },
    );
  }
  // A command's answer can still be found by the command's key.
  await blankAnswersOf(work, renamed);
  return {
    blanked: { operations: own.length },
    after: rows.length < BATCH ? null : (rows.at(-1)?.id ?? null),
  };
};

/** Blanks the answers kept for idempotent replay that contain an id of something that belongs to the customer. */
export const blankAnswers: BlankBatch = async (work, after) => {
  const { trx, scope, customerId, ids, names } = work;
  const { rows } = await trx.raw<{ rows: { key: string; isOwn: boolean }[] }>(
    `SELECT idempotency_key AS key, octet_length(fingerprint) > 0 AND ${namesOneOfIds('body::text')} AS "isOwn"
       FROM tollgate.idempotency_answers
      WHERE workspace_id = :workspaceId AND environment = :environment AND idempotency_key > :after
      ORDER BY idempotency_key LIMIT ${BATCH}`,
    { ...scope, ...jsonBindings(customerId), ids: textArray(ids), after: after ?? '' },
  );
  const own = rows
    .filter(({ isOwn }) => isOwn)
    .map(({ key }) => ({
      key,
      to: mentions(key, names) ? `${ERASED_WORD}_${newIdentifier('request')}` : key,
    }));
  await blankAnswersOf(work, own);
  return {
    blanked: { answers: own.length },
    after: rows.length < BATCH ? null : (rows.at(-1)?.key ?? null),
  };
};

async function blankAnswersOf(
  { trx, scope }: Blanking,
  renamed: readonly { key: string; to: string }[],
): Promise<void> {
  if (renamed.length === 0) return;
  await trx.raw(
    `UPDATE tollgate.idempotency_answers a SET idempotency_key = q.key, fingerprint = '', body = 'null'
       FROM unnest(:before::text[], :keys::text[]) AS q (before, key)
      WHERE a.workspace_id = :workspaceId AND a.environment = :environment AND a.idempotency_key = q.before`,
    {
      ...scope,
      before: textArray(renamed.map(({ key }) => key)),
      keys: textArray(renamed.map(({ to }) => to)),
    },
  );
}
