import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { ListenError } from './listen-error';

/** A received message, with its stream id. */
export interface Received {
  id: string;
  /** The payload, byte for byte as sent to endpoints. */
  text: string;
}

/** Event of the stream. `lost`: the connection ended, and may be reopened after the last id. */
export type StreamItem =
  | { kind: 'open' }
  /** Where it starts, before the first message, and which sandbox it is of; null if the service does not say. */
  | { kind: 'start'; id: string; sandbox: string | null }
  | ({ kind: 'message' } & Received)
  | { kind: 'gap'; id: string }
  | { kind: 'lost'; why: string };

interface StreamOptions {
  apiUrl: string;
  key: string;
  after: string | null;
  stopped: AbortSignal;
}

/** Longest silence. The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 60_000;

/**
 * Reads the stream until it ends, or `stopped` is aborted.
 *
 * @throws ListenError if a retry would not help: the key is refused, or this is not a sandbox
 */
export async function* readStream({
  apiUrl,
  key,
  after,
  stopped,
}: StreamOptions): AsyncGenerator<StreamItem> {
  const url = new URL('/v1/webhook-messages/stream', apiUrl);
  if (after !== null) url.searchParams.set('after', after);
  const silence = new AbortController();
  const timer = setTimeout(() => {
    silence.abort();
  }, SILENCE_MS).unref();
  try {
    const answer = await fetch(url, {
      headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
      redirect: 'manual',
      signal: AbortSignal.any([stopped, silence.signal]),
    });
    if (answer.status !== 200 || answer.body === null) {
      yield { kind: 'lost', why: await refusalOf(answer, apiUrl) };
      return;
    }
    yield { kind: 'open' };
    const events: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => events.push(event) });
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      timer.refresh();
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const event of events.splice(0)) {
        const item = itemOf(event);
        if (item !== null) yield item;
      }
    }
    yield { kind: 'lost', why: 'the service closed the stream' };
  } catch (error) {
    if (error instanceof ListenError) throw error;
    if (!stopped.aborted) yield { kind: 'lost', why: reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

const startSchema = z.object({ sandbox: z.string().nullable().default(null) });

function itemOf({ event, id, data }: EventSourceMessage): StreamItem | null {
  if (event === 'end' && data.includes('key_ended')) {
    throw new ListenError('The API key was revoked, or has expired. Start again with another one.');
  }
  if (id === undefined) return null;
  if (event === 'start') return { kind: 'start', id, sandbox: startSchema.parse(JSON.parse(data)).sandbox };
  if (event === 'gap') return { kind: 'gap', id };
  return event === 'message' ? { kind: 'message', id, text: data } : null;
}

const problemSchema = z.object({ code: z.string(), detail: z.string(), fix: z.string() });

/** @throws ListenError if the same request would be refused again */
async function refusalOf(answer: Response, apiUrl: string): Promise<string> {
  const { status } = answer;
  const body: unknown = await answer.json().catch(() => null);
  const problem = problemSchema.safeParse(body);
  if (!problem.success) {
    if (status >= 500) return `the service answered ${status}`;
    throw new ListenError(
      `${apiUrl} answered ${status}, and not as Tollgate does. Name the sandbox API with --api-url.`,
    );
  }
  const { detail, fix } = problem.data;
  if (status >= 500 || status === 429) return detail;
  throw new ListenError(`${detail} ${fix}`);
}

/** Returns why a connection failed, which Node puts into the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const { code } = cause as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' ? 'nothing listens there' : cause.message || (code ?? error.message);
}
