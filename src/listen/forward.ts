import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { abortAfter } from '../clock/abort-after';
import { USER_AGENT } from '../domain/user-agent';
import { reasonOf } from './message-stream';

/** Outcome of forwarding a message. */
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

/** Time for a receiver to answer (milliseconds); then the message is sent again. */
const TIMEOUT_MS = 15_000;
/**
 * Delays after answers other than 2xx, in milliseconds. After the last one the message is skipped: the developer sees
 * it, and fixes the code.
 */
const AFTER_REFUSALS = [500, 1_000, 2_000];
/** Delays while nothing answers, in milliseconds; the last one repeats. */
const WHILE_DOWN = [250, 500, 1_000, 2_000];

/**
 * Sends a message until it is accepted: indefinitely while nothing answers, and a few times if the answer is not 2xx.
 * Messages are sent one at a time.
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
    'user-agent': USER_AGENT,
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
      signal: abortAfter(TIMEOUT_MS, stopped),
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
