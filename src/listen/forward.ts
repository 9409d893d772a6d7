import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { reasonOf } from './message-stream';

/** How a message's forwarding ended. */
export type Forwarded =
  | { kind: 'taken'; status: number }
  | { kind: 'refused'; status: number }
  | { kind: 'stopped' };

interface ForwardOptions {
  to: URL;
  secret: string;
  /** Real time. */
  now: () => number;
  print: (line: string) => void;
  stopped: AbortSignal;
}

/** A receiver that has not answered by then (milliseconds) is asked again. */
const PATIENCE = 15_000;
/** After answers other than 2xx, in milliseconds. Then the message is left: the developer sees it, and mends the code. */
const AFTER_REFUSALS = [500, 1_000, 2_000];
/** While nothing answers, in milliseconds; the last one again and again. */
const WHILE_DOWN = [250, 500, 1_000, 2_000];

/**
 * Sends a message until it is taken: for as long as nothing answers, and a few times where the answer is no 2xx. Messages
 * are sent one after the other.
 */
export async function forward(
  { to, secret, now, print, stopped }: ForwardOptions,
  message: { id: string; text: string },
): Promise<Forwarded> {
  const webhook = new Webhook(secret);
  let refusals = 0;
  let failures = 0;
  const isStopped = (): boolean => stopped.aborted;
  while (!isStopped()) {
    const at = new Date(now());
    const outcome = await post(to, message, signed(webhook, message, at), stopped);
    if (typeof outcome === 'number') {
      if (failures > 0) print(`${to.href} answers again.`);
      failures = 0;
      if (outcome >= 200 && outcome < 300) return { kind: 'taken', status: outcome };
      const wait = AFTER_REFUSALS[refusals];
      if (wait === undefined) return { kind: 'refused', status: outcome };
      if (refusals === 0) print(`${to.href} answered ${outcome}; sending ${message.id} again …`);
      refusals += 1;
      await sleep(wait, stopped);
      continue;
    }
    if (failures === 0 && !isStopped()) {
      print(
        `${to.href} does not answer (${outcome}). Waiting for it; the messages after this one wait as well …`,
      );
    }
    await sleep(WHILE_DOWN[Math.min(failures, WHILE_DOWN.length - 1)] ?? 0, stopped);
    failures += 1;
  }
  return { kind: 'stopped' };
}

function signed(
  webhook: Webhook,
  { id, text }: { id: string; text: string },
  at: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': webhook.sign(id, at, text),
  };
}

/** @returns the status, or why there is none */
async function post(
  to: URL,
  { text }: { text: string },
  headers: Record<string, string>,
  stopped: AbortSignal,
): Promise<number | string> {
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body: text,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    return reasonOf(error);
  }
}

async function sleep(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}
