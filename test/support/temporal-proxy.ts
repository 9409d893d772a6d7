import {
  connect,
  createSecureServer,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Authority } from './certificates';
import { listenLocally } from './listen-locally';

export interface TemporalProxy {
  /** host:port */
  address: string;
  /** The names of the client certificates that connected. */
  clients: Set<string>;
  stop(): Promise<void>;
}

export interface TemporalProxyOptions {
  authority: Authority;
  /** Refuses, as a TLS server does, clients without a certificate of the authority. */
  asksForCertificate?: boolean;
  /** Refuses calls without this key. The caller may change it. */
  apiKey?: string;
  /**
   * Refuses calls whose path it matches, such as /temporal.api.operatorservice.v1.OperatorService/…. The caller may
   * change it.
   */
  forbids?: RegExp | undefined;
}

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/**
 * Starts a proxy in front of a Temporal server, as Temporal Cloud or a service mesh is: TLS, certificates, API keys and
 * permissions.
 */
export async function startTemporalProxy(
  target: string,
  options: TemporalProxyOptions,
): Promise<TemporalProxy> {
  const { authority, asksForCertificate = false } = options;
  const clients = new Set<string>();
  const upstream = connect(`http://${target}`);
  upstream.on('error', () => undefined);
  const server = createSecureServer({
    ...authority.issue('temporal'),
    ca: authority.cert,
    requestCert: asksForCertificate,
    rejectUnauthorized: asksForCertificate,
  });
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    const shown = socket.getPeerX509Certificate()?.subject;
    if (shown !== undefined) clients.add(shown.replace(/^CN=/, ''));
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    const { apiKey, forbids } = options;
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      refuse(stream, UNAUTHENTICATED);
    } else if (forbids?.test(String(headers[':path'])) === true) {
      refuse(stream, PERMISSION_DENIED);
    } else forward(stream, headers);
  });

  function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { ':method': method, ':path': path } = headers;
    const call = upstream.request({ ':method': method, ':path': path, ...withoutPseudo(headers) });
    let trailers: IncomingHttpHeaders = {};
    call.on('trailers', (received: IncomingHttpHeaders) => {
      trailers = received;
    });
    call.on('response', (received: IncomingHttpHeaders & IncomingHttpStatusHeader, flags) => {
      const { ':status': status = 200 } = received;
      const answer: OutgoingHttpHeaders = { ':status': status, ...withoutPseudo(received) };
      // A failure without a message consists of headers only.
      if ((flags & 1) === 1) {
        stream.respond(answer, { endStream: true });
        return;
      }
      stream.respond(answer, { waitForTrailers: true });
      stream.on('wantTrailers', () => {
        stream.sendTrailers(trailers);
      });
      call.pipe(stream);
    });
    call.on('error', () => {
      stream.destroy();
    });
    stream.on('close', () => {
      call.close();
    });
    stream.pipe(call);
  }

  const port = await listenLocally(server);
  return {
    address: `127.0.0.1:${port}`,
    clients,
    stop: () =>
      new Promise((resolve) => {
        upstream.destroy();
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Removes HTTP/2's pseudo-headers (names beginning with a colon), because each side sets its own. */
function withoutPseudo(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': String(status),
      'grpc-message': 'Refused.',
    },
    { endStream: true },
  );
}
