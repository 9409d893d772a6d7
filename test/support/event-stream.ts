import { request, type IncomingMessage } from 'node:http';
import type { OperatorClient } from './operator';

export interface StreamMessage {
  event: string;
  id: string;
  data: unknown;
}

/** A reader of the live stream. It sees what an EventSource sees, and the underlying connection. */
export class StreamReader {
  readonly messages: StreamMessage[] = [];
  /** Last id received, which an EventSource would send to resume. */
  lastId = '';
  retry: string | undefined;
  heartbeats = 0;
  ended = false;
  private waiting: (() => void)[] = [];
  private rest = '';

  private constructor(
    readonly response: IncomingMessage,
    private readonly abort: () => void,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.rest += chunk;
      const blocks = this.rest.split('\n\n');
      this.rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
      this.wake();
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      this.ended = true;
      this.wake();
    });
  }

  /** Opens the stream; the response's status may be other than 200. */
  static async open(
    operator: OperatorClient,
    consoleUrl: string,
    options: { env?: string; lastEventId?: string; headers?: Record<string, string> } = {},
  ): Promise<StreamReader> {
    const query = new URLSearchParams({
      organizationId: operator.workspaceId,
      env: options.env ?? 'sandbox',
    });
    const headers = {
      Cookie: operator.cookie,
      ...(options.lastEventId === undefined ? {} : { 'Last-Event-ID': options.lastEventId }),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${consoleUrl}/api/developer-events/stream?${query.toString()}`, {
        headers,
        agent: false,
      });
      sent.on('response', (response) => {
        resolve(
          new StreamReader(response, () => {
            sent.destroy();
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** Resolves once the condition holds; if it never does, the test times out. */
  async until(condition: (reader: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Returns the `id` members of the events received. */
  eventIds(): string[] {
    return this.messages
      .filter((one) => one.event === 'message')
      .map((one) => (one.data as { id: string }).id);
  }

  close(): void {
    this.abort();
  }

  private take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1)] as const;
      }),
    );
    if (fields.has('')) this.heartbeats += 1;
    this.retry = fields.get('retry') ?? this.retry;
    this.lastId = fields.get('id') ?? this.lastId;
    const data = fields.get('data');
    const isHeartbeat = fields.get('event') === 'heartbeat';
    if (isHeartbeat) this.heartbeats += 1;
    if (data === undefined || isHeartbeat) return;
    this.messages.push({ event: fields.get('event') ?? 'message', id: this.lastId, data: JSON.parse(data) });
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
