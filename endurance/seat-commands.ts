import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createCustomer, createGroup, idOf, subscribe } from '../test/catalog/offer';
import { planIn } from '../test/support/billing';
import type { OperatorClient } from '../test/support/operator';
import { untilTaken } from '../test/support/until-taken';
import type { Installation } from './installation';

/** A command as its caller saw it. `none`: the connection broke before an answer. */
export interface Sent {
  operationId: string | undefined;
  key: string;
  subscriptionId: string;
  seats: number;
  status: number | 'none';
}

/** Time within which a 202 must end once everything runs again (milliseconds); guards against waiting forever. */
const TIMEOUT_MS = 15 * 60_000;
/** Stored statuses of an operation that may still be carried out. */
const OPEN = ['pending', 'accepted'];

/** Opens subscriptions of local billing, each of a separate customer. They are free, so that none is ever past due. */
export async function openSubscriptions(operator: OperatorClient, count: number): Promise<string[]> {
  const planId = await planIn(operator, await createGroup(operator), 'free', '0');
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { externalId } = await createCustomer(operator);
    ids.push(idOf(await subscribe(operator, { externalId, planId, seats: 1 })));
  }
  return ids;
}

const path = (subscriptionId: string): string => `/api/billing/subscriptions/${subscriptionId}/change`;

/** Changes the seats. Each call uses another number, so that each has a separate effect in the history. */
export async function change(operator: OperatorClient, subscriptionId: string, seats: number): Promise<Sent> {
  const key = randomUUID();
  const options = { body: { seats }, headers: { 'Idempotency-Key': key } };
  for (;;) {
    try {
      const { status, body } = await operator.post(path(subscriptionId), options);
      if (![200, 202, 409, 503].includes(status))
        throw new UnexpectedAnswer(`A change was answered ${status}: ${JSON.stringify(body)}`);
      const operationId = status === 202 ? String(body['id']) : undefined;
      return { operationId, key, subscriptionId, seats, status };
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error;
      if (!isRefusedConnection(error))
        return { operationId: undefined, key, subscriptionId, seats, status: 'none' };
      // The API's process is restarting and does not listen yet.
      await pause(100);
    }
  }
}

function isRefusedConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

class UnexpectedAnswer extends Error {}

interface Row {
  id: string;
  key: string;
  status: string;
  /** How often its effect is recorded in the history of its subscription. */
  done: number;
}

/** Waits without sending anything: operations must end on their own. */
export async function untilEnded({ database, failure }: Installation, atMost: number): Promise<Row[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const rows = await Promise.race([
      failure,
      database.query<Row>(
        `SELECT o.id, o.idempotency_key AS key, o.status,
                coalesce((SELECT max(n) FROM (
                   SELECT count(*)::int AS n FROM tollgate.subscription_history h
                    WHERE h.subscription_id = o.subscription_id AND h.data ->> 'operationId' = o.id
                    GROUP BY h.kind) AS kinds), 0) AS done
           FROM tollgate.operations o`,
      ),
    ]);
    const open = rows.filter(({ status }) => OPEN.includes(status));
    if (open.length === 0) return rows;
    if (rows.length > atMost) throw new Error('There are more operations than commands.');
    if (performance.now() > deadline)
      throw new Error(
        `${open.length} commands have not ended: ${open.map(({ id, status }) => `${id} ${status}`).join(', ')}`,
      );
    await pause(500);
  }
}

/** @throws Error when a 202 has not ended, a 503 was done, or anything was done twice */
export function judge(sent: readonly Sent[], rows: readonly Row[]): Record<string, number> {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const counted: Record<string, number> = {};
  for (const { key, status, operationId } of sent) {
    const row = byKey.get(key);
    const fault = faultOf(status, row);
    if (fault !== undefined)
      throw new Error(
        `${operationId ?? key} was answered ${status} and ${fault} (${row?.status ?? 'no row'}).`,
      );
    const what = `answered ${status === 'none' ? 'nothing' : status}, then ${row?.status ?? 'unknown here'}`;
    counted[what] = (counted[what] ?? 0) + 1;
  }
  return counted;
}

function faultOf(status: Sent['status'], row: Row | undefined): string | undefined {
  if ((row?.done ?? 0) > 1) return 'was done more than once';
  if (row?.status === 'succeeded' && row.done !== 1) return 'succeeded without an effect';
  if (row?.status !== 'succeeded' && (row?.done ?? 0) !== 0) return 'was done, and says otherwise';
  if (status === 503 && row !== undefined && row.status !== 'abandoned') return 'was not given up';
  if (status === 202 && row?.status !== 'succeeded' && row?.status !== 'refused') return 'never ended';
  if (status === 200 && row?.status !== 'succeeded') return 'has not succeeded';
  return undefined;
}

/** Sends the keys that were answered 503 again, and returns how often each was answered what. */
export async function sendAgain(operator: OperatorClient, commands: readonly Sent[]): Promise<string> {
  const answers: Record<string, number> = {};
  for (const { key, subscriptionId, seats } of commands) {
    const options = { body: { seats }, headers: { 'Idempotency-Key': key } };
    // A process that was refused by Temporal connects again only after a pause, and until then answers 503 as before.
    const { status, headers, body } = await untilTaken(() => operator.post(path(subscriptionId), options));
    const replayed = headers.get('idempotency-replayed') !== null;
    // Other commands were carried out in the meantime, so it may be refused; but it is never answered with a replay of
    // the first attempt.
    if (replayed || ![200, 202, 409].includes(status))
      throw new Error(`A key after its 503 was answered ${status}: ${JSON.stringify(body)}`);
    answers[status] = (answers[status] ?? 0) + 1;
  }
  return (
    Object.entries(answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || 'none'
  );
}
