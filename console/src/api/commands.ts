import { api, bodyOf } from './client';
import { ProblemError, type Problem } from './problem';
import type { Operation } from './resources';

/** What a command has come to. */
export type CommandResult = { kind: 'done'; body: unknown } | { kind: 'running'; operation: Operation };

interface CommandAnswer {
  data?: unknown;
  response: Response;
}

/** How long the page waits for a command that was answered 202, before it says that it goes on. */
const PATIENCE_MS = 60_000;
const POLL_MS = 500;

/**
 * What an operator means to do, under one idempotency key: pressing the button again after an answer that was lost, or
 * a refusal, does nothing twice. Another body is another intent, and so is what comes after the command has ended.
 */
export class Intent {
  private key = crypto.randomUUID();
  private body: string | undefined;

  keyFor(body: unknown): string {
    const wanted = body === undefined ? '' : JSON.stringify(body);
    if (this.body !== undefined && this.body !== wanted) this.end();
    this.body = wanted;
    return this.key;
  }

  /** Whether the same was sent already, and its outcome is not known: sending it again does nothing twice. */
  isSent(body: unknown): boolean {
    return this.body === JSON.stringify(body);
  }

  end(): void {
    this.key = crypto.randomUUID();
    this.body = undefined;
  }
}

/**
 * Sends a command, and follows it to its end where it is answered 202.
 *
 * @param send gets the idempotency key
 * @throws ProblemError the refusal, also one that came later
 */
export async function runCommand<Body>(
  workspace: { organizationId: string; env: 'sandbox' | 'production' },
  intent: Intent,
  body: Body,
  send: (key: string, body: Body) => Promise<CommandAnswer>,
): Promise<CommandResult> {
  const { data, response } = await send(intent.keyFor(body), body);
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
    operation = await bodyOf(api.GET('/api/billing/operations/{id}', { params }));
  }
  if (operation.problem !== null) {
    // The key would bring this answer for ever.
    intent.end();
    throw new ProblemError(operation.problem as unknown as Problem);
  }
  return operation.finishedAt === null
    ? { kind: 'running', operation }
    : { kind: 'done', body: operation.answer?.body };
}
