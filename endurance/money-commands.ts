import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Books } from '../simulators/core/books';
import type { OperatorClient } from '../test/support/operator';

/** A command as its caller saw it. No two refunds have the same amount, and no two changes the same number of seats. */
export interface SentCommand {
  key: string;
  path: string;
  body: Record<string, unknown>;
  /** Amount of a refund, in minor units. */
  refunded: bigint | null;
  /** `unknown`: the connection was lost before an answer, or the answer was 500. */
  status: number | 'unknown';
}

/** An operation that has ended. */
export interface EndedOperation {
  id: string;
  key: string;
  status: string;
  /** How often its effect is recorded in the history of its subscription. */
  done: number;
}

/** The allowed answers: done, in progress, refused, unavailable, or (500) unknown. */
const ANSWERS = [200, 201, 202, 402, 409, 422, 500, 503];

export function refundOf(paymentId: string, amount: number): Omit<SentCommand, 'status'> {
  const body = { paymentId, amount: { amount: String(amount), currency: 'USD' } };
  return { key: randomUUID(), path: '/api/billing/refunds', body, refunded: BigInt(amount) };
}

export function seatsOf(subscriptionId: string, seats: number): Omit<SentCommand, 'status'> {
  const path = `/api/billing/subscriptions/${subscriptionId}/change`;
  return { key: randomUUID(), path, body: { seats }, refunded: null };
}

/**
 * Sends a command; retries while the connection is refused.
 *
 * @throws Error at an answer that no command may have
 */
export async function send(
  operator: OperatorClient,
  command: Omit<SentCommand, 'status'>,
): Promise<SentCommand> {
  const { path, body, key } = command;
  for (;;) {
    try {
      const answer = await operator.post(path, { body, headers: { 'Idempotency-Key': key } });
      const { status } = answer;
      if (!ANSWERS.includes(status)) {
        throw new UnexpectedAnswer(`${path} was answered ${status}: ${JSON.stringify(answer.body)}`);
      }
      return { ...command, status: status === 500 ? 'unknown' : status };
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error;
      if (!isRefusedConnection(error)) return { ...command, status: 'unknown' };
      // The API's process is restarting and does not listen yet.
      await pause(100);
    }
  }
}

class UnexpectedAnswer extends Error {}

function isRefusedConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/**
 * Compares what the answers promised with what was done, here and at the providers.
 *
 * @returns each broken promise in words, and how often each answer had each outcome
 */
export function judge(
  sent: readonly SentCommand[],
  operations: readonly EndedOperation[],
  books: readonly Books[],
): { broken: string[]; counted: Record<string, number> } {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const returned = books.flatMap((book) => book.returned.map(({ amount }) => amount));
  const counted: Record<string, number> = {};
  const broken: string[] = [];
  for (const command of sent) {
    const operation = byKey.get(command.key);
    const times =
      command.refunded === null
        ? (operation?.done ?? 0)
        : returned.filter((amount) => amount === command.refunded).length;
    const fault = faultOf(command, operation?.status, times);
    const ending = operation?.status ?? 'unknown here';
    if (fault !== undefined)
      broken.push(
        `${command.path} ${JSON.stringify(command.body)} was answered ${command.status} and ${fault} (${ending}).`,
      );
    const what = `${command.refunded === null ? 'seats' : 'refund'} answered ${command.status}, then ${ending}`;
    counted[what] = (counted[what] ?? 0) + 1;
  }
  return { broken, counted };
}

function faultOf({ status }: SentCommand, ending: string | undefined, times: number): string | undefined {
  if (times > 1) return `was done ${times} times`;
  if (ending === 'succeeded' && times !== 1) return 'succeeded without an effect';
  if (ending !== 'succeeded' && times !== 0) return 'was done, and says otherwise';
  if (status === 503 && ending !== undefined && ending !== 'abandoned') return 'was not given up';
  if (status === 202 && ending !== 'succeeded' && ending !== 'refused') return 'never ended';
  if ((status === 200 || status === 201) && ending !== 'succeeded') return 'has not succeeded';
  return undefined;
}
