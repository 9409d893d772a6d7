import { createServer } from 'node:http';
import { listenLocally } from '../../support/listen-locally';

interface StubAnswer {
  status?: number;
  /** Sent as JSON; a string is sent unchanged. */
  body: unknown;
  headers?: Record<string, string>;
}

/** Starts a server at provider A's address that answers as each test says. */
export async function startStub() {
  const requests: { method: string; path: string; key: string | undefined }[] = [];
  let answerTo: (method: string, path: string, query: string) => StubAnswer = () => ({ body: {} });
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const [path = '', query = ''] = url.split('?');
    const key = request.headers['idempotency-key'];
    requests.push({ method, path, key: typeof key === 'string' ? key : undefined });
    request.resume().on('end', () => {
      const { status = 200, body, headers = {} } = answerTo(method, path, query);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (next: typeof answerTo) => {
      answerTo = next;
      requests.splice(0);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
