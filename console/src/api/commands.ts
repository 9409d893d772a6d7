import type { Middleware } from 'openapi-fetch';
import { api, bodyOf } from './client';
import { newKey } from './new-key';
import { isOutcomeUnknown, problemOf, refusedLater } from './problem';
import type { Operation } from './resources';
import { stepUpAfter } from './step-up';

/** Outcome of a command so far. */
export type CommandResult = { kind: 'done'; body: unknown } | { kind: 'running'; operation: Operation };

interface CommandAnswer {
  data?: unknown;
  response: Response;
}

/** How long the page waits for a command that was answered 202, before it reports that the command continues. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 500;

/**
 * An operator's intent, under one idempotency key: pressing the button again after a lost answer or a refusal does
 * nothing twice. Another body is another intent, as is anything after the command has ended.
 */
export class Intent {
  private key = newKey();
  private body: string | undefined;
  private isUncertain = false;

  keyFor(body: unknown): string {
    const wanted = textOf(body);
    if (this.body !== undefined && this.body !== wanted) this.end();
    this.body = wanted;
    return this.key;
  }

  /** Returns whether an attempt with the same body may have been carried out: sending it again does nothing twice. */
  mayBeDone(body: unknown): boolean {
    return this.isUncertain && this.body === textOf(body);
  }

  /**
   * Records that an attempt may have been carried out. A later refusal, such as that for the second factor, does not
   * change this, because it says nothing about the earlier attempt.
   */
  markUncertain(): void {
    this.isUncertain = true;
  }

  end(): void {
    this.key = newKey();
    this.body = undefined;
    this.isUncertain = false;
  }
}

function textOf(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body);
}

/**
 * Sends a command, and follows it to its end if it is answered 202.
 *
 * @param send receives the idempotency key, and what to add to the request
 * @param check throws if the command must not be sent. It is repeated after the second factor was asked for, and
 *   skipped if an earlier attempt may have been carried out: it would find that attempt's effect.
 * @throws ProblemError the refusal, also if it came later
 */
export async function runCommand<Body>(
  workspace: { organizationId: string; env: 'sandbox' | 'production' },
  intent: Intent,
  body: Body,
  send: (key: string, body: Body, middleware: Middleware[]) => Promise<CommandAnswer>,
  check?: () => Promise<void>,
): Promise<CommandResult> {
  const needed = intent.mayBeDone(body) ? undefined : check;
  await needed?.();
  // While the check is repeated, the request was refused and has not been sent again.
  let isHeld = false;
  const middleware = stepUpAfter(async () => {
    isHeld = true;
    await needed?.();
    isHeld = false;
  });
  const { data, response } = await send(intent.keyFor(body), body, [middleware]).catch((error: unknown) => {
    if (!isHeld && mayBeCarriedOut(error)) intent.markUncertain();
    throw error;
  });
  if (response.status === 202) intent.markUncertain();
  const result: CommandResult =
    response.status === 202
      ? await followOperation(workspace, intent, data as Operation)
      : { kind: 'done', body: data };
  intent.end();
  return result;
}

/** Returns whether the command may have been, or may still be, carried out after its request has failed. */
function mayBeCarriedOut(error: unknown): boolean {
  return isOutcomeUnknown(error) || problemOf(error).code === 'idempotency_key_in_use';
}

async function followOperation(
  workspace: { organizationId: string; env: 'sandbox' | 'production' },
  intent: Intent,
  accepted: Operation,
): Promise<CommandResult> {
  let operation = accepted;
  const deadline = performance.now() + TIMEOUT_MS;
  while (operation.finishedAt === null && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const params = { path: { id: operation.id }, query: workspace };
    try {
      operation = await bodyOf(api.GET('/api/billing/operations/{id}', { params }));
    } catch (error) {
      // The command was accepted, and is carried out without this page.
      if (!isOutcomeUnknown(error)) throw error;
    }
  }
  if (operation.problem !== null) {
    // The key would return this answer forever.
    intent.end();
    throw refusedLater(operation.problem);
  }
  return operation.finishedAt === null
    ? { kind: 'running', operation }
    : { kind: 'done', body: operation.answer?.body };
}
