import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenLocally } from '../test/support/listen-locally';

/** A webhook request to send. */
export interface Sending {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The sender's address; any of 127.0.0.0/8. */
  from: string;
}

const MAX_CONCURRENT = 256;

/**
 * Sends webhooks over keep-alive connections, as a flood does, one at a time on each. Uses plain sockets, because a
 * sender as busy as the service would measure itself.
 */
export class Sender {
  private readonly port: number;
  private readonly idle = new Map<string, Socket[]>();
  private readonly open = new Set<Socket>();
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(host: string) {
    this.port = Number(new URL(host).port);
  }

  /** Waits while too many are in flight. @returns the status; 0 when there was no answer */
  async send(sending: Sending): Promise<number> {
    if (this.underWay >= MAX_CONCURRENT) await new Promise<void>((turn) => this.waiting.push(turn));
    else this.underWay += 1;
    try {
      return await this.sendNow(sending);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.underWay -= 1;
      else next();
    }
  }

  private sendNow({ path, headers, body, from }: Sending): Promise<number> {
    const socket = this.socketFrom(from);
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    return new Promise((resolve) => {
      let answer = '';
      const end = (status: number): void => {
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('timeout');
        if (status === 0 || /^connection: close/im.test(answer)) socket.destroy();
        else this.idle.get(from)?.push(socket);
        resolve(status);
      };
      socket.on('data', (part) => {
        answer += part.toString('latin1');
        if (isWhole(answer)) end(Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)));
      });
      for (const lost of ['close', 'timeout']) {
        socket.on(lost, () => {
          end(0);
        });
      }
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    });
  }

  close(): void {
    for (const socket of this.open) socket.destroy();
  }

  private socketFrom(from: string): Socket {
    const idle = this.idle.get(from) ?? [];
    this.idle.set(from, idle);
    for (;;) {
      const known = idle.pop();
      if (known === undefined) break;
      if (!known.destroyed) return known;
    }
    const socket = connect({ host: '127.0.0.1', port: this.port, localAddress: from });
    socket.setTimeout(20_000);
    this.open.add(socket);
    // The close event that follows reports the failure.
    socket.on('error', () => undefined);
    return socket;
  }
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(answer)?.[1];
  return head >= 0 && length !== undefined && answer.length >= head + 4 + Number(length);
}

const event = (account: 'a' | 'b' | 'c'): string => {
  if (account === 'a') {
    return `{"id":"evt_${randomUUID()}","object":"event","livemode":false,"created":1,"type":"customer.created","data":{}}`;
  }
  return account === 'b'
    ? `{"id":"WH-${randomUUID()}","event_type":"CATALOG.PRODUCT.CREATED","resource":{"id":"x"}}`
    : `{"event":"customeridentification.success","data":{"domain":"test","id":"${randomUUID()}"}}`;
};

/** Returns a webhook of provider A, signed with this secret. */
export function ofA(connection: string | null, secret: string, from: string): Sending {
  const body = event('a');
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
  return {
    ...to('provider_a', connection),
    headers: { 'Stripe-Signature': `t=${at},v1=${mac}` },
    body,
    from,
  };
}

/** Returns a webhook of provider C, signed with this secret. */
export function ofC(connection: string | null, secret: string, from: string): Sending {
  const body = event('c');
  const mac = createHmac('sha512', secret).update(body).digest('hex');
  return { ...to('provider_c', connection), headers: { 'X-Paystack-Signature': mac }, body, from };
}

/** Returns a webhook of provider B; {@link startVerifier} confirms messages with this signature. */
export function ofB(connection: string | null, signature: string, from: string): Sending {
  const headers = {
    'PayPal-Transmission-Id': randomUUID(),
    'PayPal-Transmission-Time': new Date().toISOString(),
    'PayPal-Transmission-Sig': signature,
    'PayPal-Cert-Url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-fake',
    'PayPal-Auth-Algo': 'SHA256withRSA',
  };
  return { ...to('provider_b', connection), headers, body: event('b'), from };
}

function to(provider: string, connection: string | null): { path: string } {
  return { path: `/v1/webhooks/${provider}${connection === null ? '' : `?connection=${connection}`}` };
}

/** Starts a stand-in for provider B that issues tokens and verifies messages with this signature. */
export async function startVerifier(signature: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, answer) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const valid = Buffer.concat(parts).includes(`"transmission_sig":"${signature}"`);
      const body = request.url?.startsWith('/v1/oauth2/token')
        ? { access_token: 'token', token_type: 'Bearer', expires_in: 3_600 }
        : { verification_status: valid ? 'SUCCESS' : 'FAILURE' };
      answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const port = await listenLocally(server);
  return { server, url: `http://127.0.0.1:${port}` };
}
