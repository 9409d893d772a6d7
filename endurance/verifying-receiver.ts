import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** An integrator's receiver: it verifies each message with the published library, and refuses one now and then. */
export class VerifyingReceiver {
  /** How often each message was received, by its id. */
  readonly taken = new Map<string, number>();
  readonly faults: string[] = [];
  refused = 0;
  secret = '';
  /** One of this many requests is answered 500; the others are accepted. */
  refusesOneOf = 10;
  private readonly bodies = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<VerifyingReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new VerifyingReceiver(server, `http://127.0.0.1:${port}/webhooks`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.statusCode = receiver.take(request.headers, Buffer.concat(chunks).toString('utf8'));
        response.end();
      });
    });
    return receiver;
  }

  /** @returns the status that it answers */
  private take(headers: Readonly<Record<string, string | string[] | undefined>>, body: string): number {
    const id = String(headers['webhook-id']);
    try {
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
    } catch (error) {
      this.faults.push(`${id} does not verify: ${error instanceof Error ? error.message : String(error)}`);
      return 400;
    }
    if (this.bodies.has(id) && this.bodies.get(id) !== body) this.faults.push(`${id} has two bodies.`);
    this.bodies.set(id, body);
    if (randomInt(this.refusesOneOf) === 0) {
      this.refused += 1;
      return 500;
    }
    this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
    return 204;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
