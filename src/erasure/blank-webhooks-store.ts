import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { concernsCustomer } from '../domain/customer-webhook';
import { blankWebhooks } from '../webhooks/erased-webhook-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BlankBatch } from './blanking';
import { findReferences } from './holdings-store';

/** Rows per batch. Each may be as large as a webhook may be. */
const BATCH = 50;

/**
 * Blanks the stored webhooks that concern the customer, scanning all of the workspace, because only their bytes show
 * what they contain.
 */
export const blankStoredWebhooks: BlankBatch = async (work, after) => {
  const { trx, scope, customerId, ids, names, requestedAt, at } = work;
  const rows = await readPage(trx, scope, after);
  const customer = { ids, names, references: await findReferences(trx, scope, customerId), requestedAt };
  const own = rows.filter((row) => concernsCustomer({ ...row, text: row.body.toString('utf8') }, customer));
  await blankWebhooks(
    trx,
    scope,
    own.map(({ id }) => id),
    at,
  );
  return {
    blanked: { webhooks: own.length },
    after: rows.length < BATCH ? null : (rows.at(-1)?.position ?? null),
  };
};

interface Row {
  id: string;
  /** The instant and the id, separated by a space. */
  position: string;
  body: Buffer;
  /** Ids of the rows it changed here. */
  targets: string[];
  receivedAt: Instant;
}

async function readPage(trx: DbTransaction, scope: WorkspaceScope, after: string | null): Promise<Row[]> {
  const [id = '', ...instant] = (after ?? '-infinity ').split(' ').reverse();
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `SELECT id, received_at::text || ' ' || id AS position, body, received_at AS "receivedAt",
            ARRAY(SELECT c ->> 'target' FROM jsonb_array_elements(changes) c) AS targets
       FROM tollgate.webhook_events
      WHERE workspace_id = :workspaceId AND environment = :environment AND erased_at IS NULL
        AND (received_at, id) > (:instant::timestamptz, :id)
      ORDER BY received_at, id LIMIT ${BATCH}`,
    { ...scope, instant: instant.reverse().join(' '), id },
  );
  return rows;
}
