import { createServer } from 'node:http';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { listenLocally } from '../../support/listen-locally';

export interface StubRequest {
  method: string;
  /** Includes the query. */
  path: string;
  body: Record<string, unknown>;
}

/** `cut`: the connection is cut without an answer. `silence`: no answer ever arrives. */
export type StubAnswer = { status?: number; body: unknown } | 'cut' | 'silence';

/** Starts another provider, which answers each request with `answer` and records the requests. */
export async function withStub(
  access: ConnectionAccess,
  answer: (request: StubRequest) => StubAnswer,
  work: (access: ConnectionAccess, requests: readonly StubRequest[]) => Promise<void>,
): Promise<void> {
  const requests: StubRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const got = { method: request.method ?? '', path: request.url ?? '', body };
      requests.push(got);
      const reply = answer(got);
      if (reply === 'silence') return;
      if (reply === 'cut') {
        response.socket?.destroy();
        return;
      }
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body));
    });
  });
  const port = await listenLocally(server);
  try {
    await work({ ...access, baseUrl: `http://127.0.0.1:${port}` }, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Returns an answer with which the provider refuses a request. */
export function refusal(status: number, code: string | undefined, message: string): StubAnswer {
  return { status, body: { status: false, message, ...(code !== undefined && { code }) } };
}
