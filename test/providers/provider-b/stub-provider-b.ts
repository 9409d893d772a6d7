import { createServer } from 'node:http';
import { listenLocally } from '../../support/listen-locally';

interface StubRequest {
  method: string;
  path: string;
  requestId: string | undefined;
  prefer: string | undefined;
  body: unknown;
}

interface StubReply {
  status: number;
  body: unknown;
}

export interface StubProviderB {
  url: string;
  /** Every request except those for a token. */
  requests: StubRequest[];
  /** Answers every request except the sign-in, which succeeds unless `signIn` says otherwise. */
  reply: (request: StubRequest) => StubReply;
  signIn: StubReply;
  stop(): Promise<void>;
}

/** Starts a provider that answers as each test says and records the requests. */
export async function startStubProviderB(): Promise<StubProviderB> {
  const stub: StubProviderB = {
    url: '',
    requests: [],
    reply: () => ({ status: 404, body: { name: 'RESOURCE_NOT_FOUND' } }),
    signIn: { status: 200, body: { access_token: 'token', expires_in: 3600 } },
    stop: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const answer = path === '/v1/oauth2/token' ? stub.signIn : take(path, request.method ?? '');
      response.writeHead(answer.status, { 'content-type': 'application/json', 'paypal-debug-id': 'd1' });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    });
    const take = (path: string, method: string): StubReply => {
      const text = Buffer.concat(chunks).toString('utf8');
      const received: StubRequest = {
        method,
        path,
        requestId: request.headers['paypal-request-id']?.toString(),
        prefer: request.headers['prefer']?.toString(),
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
      stub.requests.push(received);
      return stub.reply(received);
    };
  });
  const port = await listenLocally(server);
  stub.url = `http://127.0.0.1:${port}`;
  stub.stop = () =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return stub;
}
