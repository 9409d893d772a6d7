import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { WebhookType } from '../domain/webhook-types';
import { forward } from './forward';
import type { KeptState } from './kept-state';
import { ListenError } from './listen-error';
import { readStream, type Received, type StreamItem } from './message-stream';

interface ListenOptions {
  apiUrl: string;
  /** Called before each connection, because `npm start` creates new keys. */
  key: () => Promise<string>;
  /** Null: messages are only printed. */
  forwardTo: URL | null;
  /** Null: all. */
  types: ReadonlySet<WebhookType> | null;
  secret: string;
  state: KeptState;
  /** Real time. */
  now: () => number;
  print: (line: string) => void;
  stopped: AbortSignal;
}

const RECONNECT_MS = 1_000;

/**
 * Prints and forwards the sandbox's messages until `stopped` is aborted. After a lost connection or a restart, it
 * continues from the last handled message.
 *
 * @returns how many were handled
 * @throws ListenError if it cannot continue
 */
export async function listen(options: ListenOptions): Promise<number> {
  const { apiUrl, print, state, stopped } = options;
  let count = 0;
  let wasOpen = false;
  let isLost = false;
  const isStopped = (): boolean => stopped.aborted;
  while (!isStopped()) {
    const after = state.positionOf(apiUrl);
    let isOver = false;
    for await (const item of readStream({ apiUrl, key: await options.key(), after, stopped })) {
      switch (item.kind) {
        case 'open':
          wasOpen = true;
          break;
        case 'start':
          isOver = await isOfAnother(options, item);
          if (isOver) break;
          print(isLost ? `Connected to ${apiUrl} again.` : openingOf(apiUrl, after));
          isLost = false;
          await state.moveTo(apiUrl, item.id);
          break;
        case 'gap':
          print(
            'Some messages were skipped, because the position was not known there. GET /v1/webhook-messages has them.',
          );
          await state.restartAt(apiUrl, item.id);
          break;
        case 'message':
          if (await handleMessage(options, item)) {
            count += 1;
            await state.moveTo(apiUrl, item.id);
          }
          break;
        case 'lost':
          if (!wasOpen) throw unreachable(apiUrl, item.why);
          if (!isLost) print(`The connection to ${apiUrl} is lost (${item.why}). Connecting again …`);
          isLost = true;
      }
      if (isOver || isStopped()) break;
    }
    await pause(RECONNECT_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
  return count;
}

/**
 * Whether the key belongs to another sandbox than the last one listened to. The stream must then be reopened at that
 * sandbox's own position, or messages written in the meantime would be skipped.
 */
async function isOfAnother(
  { apiUrl, state }: ListenOptions,
  { sandbox }: Extract<StreamItem, { kind: 'start' }>,
): Promise<boolean> {
  const last = state.sandboxOf(apiUrl);
  if (sandbox === null || sandbox === last) return false;
  await state.switchTo(apiUrl, sandbox);
  return last !== null;
}

const payloadSchema = z.object({
  id: z.string(),
  type: z.string(),
  sequence: z.number(),
  resource: z.object({ type: z.string(), id: z.string() }),
});

/** @returns false if it was stopped before the message was accepted: it is received again */
async function handleMessage(options: ListenOptions, { text }: Received): Promise<boolean> {
  const { forwardTo, types, now, print, stopped } = options;
  const { id, type, sequence, resource } = payloadSchema.parse(JSON.parse(text));
  if (types !== null && ![...types].some((one) => one === type)) return true;
  const time = new Date(now()).toISOString().slice(11, 19);
  const line = `${time}  ${type}  ${resource.id} #${sequence}  ${id}`;
  if (forwardTo === null) {
    print(line);
    return true;
  }
  const outcome = await forward({ ...options, to: forwardTo, stopped }, { id, text });
  switch (outcome.kind) {
    case 'taken':
      print(`${line}  -> ${outcome.status}`);
      return true;
    case 'refused':
      print(
        `${line}  -> ${outcome.status}, again and again: left out. GET /v1/webhook-messages/${id} has it.`,
      );
      return true;
    case 'stopped':
      return false;
  }
}

function openingOf(apiUrl: string, after: string | null): string {
  const from = after === null ? 'from now on' : 'starting after the last message received';
  return `Listening to the sandbox at ${apiUrl}, ${from}. Ctrl-C ends.`;
}

function unreachable(apiUrl: string, why: string): ListenError {
  return new ListenError(
    `${apiUrl} does not answer as it should: ${why}. Start Tollgate with npm start, or name the sandbox API with --api-url.`,
  );
}
