import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { findFreePort } from '../../src/embedded/free-port';
import type { Payload } from './message-log';

/** A developer's server, which verifies webhooks with the published library. */
export class Receiver {
  /** Verified and accepted messages, in order of arrival. */
  readonly taken: { payload: Payload; text: string }[] = [];
  /** Statuses to answer first, before any other answer. */
  readonly answers: number[] = [];
  secret = '';
  private server: Server | undefined;
  private waiting: (() => void)[] = [];
  private port = 0;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const status = this.answers.shift() ?? 204;
        if (status < 300)
          this.take(Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
        response.writeHead(status).end();
        for (const wake of this.waiting.splice(0)) wake();
      });
    });
    this.server = server;
    // One that no connection takes between a stop and a start.
    if (this.port === 0) this.port = await findFreePort();
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  get ids(): string[] {
    return this.taken.map(({ payload }) => payload.id);
  }

  /** Resolves once a message about the resource has been accepted. */
  async about(resourceId: string): Promise<void> {
    while (!this.taken.some(({ payload }) => payload.resource.id === resourceId))
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private take(text: string, headers: Record<string, string>): void {
    const payload = new Webhook(this.secret).verify(text, headers) as Payload;
    if (payload.id !== headers['webhook-id']) throw new Error('The id is another one than the header’s.');
    if (headers['user-agent'] !== 'Tollgate') throw new Error('The request does not name its sender.');
    this.taken.push({ payload, text });
  }
}
