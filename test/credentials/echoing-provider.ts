import { createServer, type IncomingMessage, type Server } from 'node:http';
import { listenLocally } from '../support/listen-locally';

/**
 * A payment provider that echoes whatever it receives, headers included, in errors of every kind. The echoes must stay
 * between it and the service.
 */
export class EchoingProvider {
  /** Everything that it received; shows a test that secrets really were sent. */
  heard = '';
  /** The access token that it issues. */
  readonly token = 'A21AAFfakeechoedtoken0123456789';
  private readonly statuses = [400, 401, 403, 404, 409, 422, 429, 500, 503];
  private answers = 0;
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void this.hear(request).then((echo) => {
        if (request.url?.includes('/oauth2/token') === true && this.answers % 3 !== 2) {
          const token = { access_token: this.token, token_type: 'Bearer', expires_in: 3600, scope: echo };
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(token));
          return;
        }
        const status = this.statuses[this.answers % this.statuses.length] ?? 500;
        // Some answers are not JSON, and some are cut off.
        if (this.answers % 7 === 5) return void response.writeHead(status).end(`<html>${echo}</html>`);
        if (this.answers % 7 === 6) return void response.destroy();
        response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_fake' });
        const error = { type: 'api_error', code: 'echo', message: echo, param: echo };
        response.end(
          JSON.stringify({ error, name: 'ECHO', message: echo, error_description: echo, status: false }),
        );
      });
    });
  }

  async listen(): Promise<string> {
    const port = await listenLocally(this.server);
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async hear(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.answers += 1;
    const echo = `${request.url ?? ''} ${request.rawHeaders.join(' ')} ${Buffer.concat(parts).toString('utf8')}`;
    this.heard += `${echo}\n`;
    return echo;
  }
}
