import { api, bodyOf } from './client';
import { isOutcomeUnknown, ProblemError, type Problem } from './problem';
import type { Operation } from './resources';

/** Outcome of a command so far. */
export type CommandResult = { kind: 'done'; body: unknown } | { kind: 'running'; operation: Operation };

interface CommandAnswer {
  data?: unknown;
  response: Response;
}

/** How long the page waits for a command that was answered 202, before it reports that the command continues. */
const PATIENCE_MS = 60_000;
const POLL_MS = 500;

/**
 * An operator's intent, under one idempotency key: pressing the button again after a lost answer or a refusal does
 * nothing twice. Another body is another intent, as is anything after the command has ended.
 */
export class Intent {
  private key = crypto.randomUUID();
  private body: string | undefined;
  private isRefused = false;

  keyFor(body: unknown): string {
    const wanted = body === undefined ? '' : JSON.stringify(body);
    if (this.body !== undefined && this.body !== wanted) this.end();
    this.body = wanted;
    this.isRefused = false;
    return this.key;
  }

  /** Returns whether the same body was sent and its outcome is unknown: sending it again does nothing twice. */
  isSent(body: unknown): boolean {
    return !this.isRefused && this.body === JSON.stringify(body);
  }

  /** Records that nothing was done. The key stays, because an earlier attempt may have been carried out. */
  refuse(): void {
    this.isRefused = true;
  }

  end(): void {
    this.key = crypto.randomUUID();
    this.body = undefined;
    this.isRefused = false;
  }
}

/**
 * Sends a command, and follows it to its end if it is answered 202.
 *
 * @param send receives the idempotency key
 * @throws ProblemError the refusal, also if it came later
 */
export async function runCommand<Body>(
  workspace: { organizationId: string; env: 'sandbox' | 'production' },
  intent: Intent,
  body: Body,
  send: (key: string, body: Body) => Promise<CommandAnswer>,
): Promise<CommandResult> {
  const { data, response } = await send(intent.keyFor(body), body).catch((error: unknown) => {
    if (!isOutcomeUnknown(error)) intent.refuse();
    throw error;
  });
  const result: CommandResult =
    response.status === 202
      ? await followOperation(workspace, intent, data as Operation)
      : { kind: 'done', body: data };
  intent.end();
  return result;
}

async function followOperation(
  workspace: { organizationId: string; env: 'sandbox' | 'production' },
  intent: Intent,
  accepted: Operation,
): Promise<CommandResult> {
  let operation = accepted;
  const patience = performance.now() + PATIENCE_MS;
  while (operation.finishedAt === null && performance.now() < patience) {
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
    throw new ProblemError(operation.problem as unknown as Problem);
  }
  return operation.finishedAt === null
    ? { kind: 'running', operation }
    : { kind: 'done', body: operation.answer?.body };
}
