import { connect } from 'node:net';

/** An answer as received on the wire. */
export interface Answer {
  /** 0 if the connection ended without an answer. */
  status: number;
  contentType: string;
  body: string;
}

const TIMEOUT_MS = 90_000;
const MAX_BYTES = 4_000_000;

/**
 * Sends these bytes on a separate connection and reads the answer to its end. A client library would not send such
 * bytes.
 *
 * @param isCut the sender disconnects after these bytes, even if they announce more
 */
export function exchange(url: string, { bytes, isCut }: { bytes: Buffer; isCut: boolean }): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      if (isCut) socket.end();
    });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`There was no end of an answer to ${bytes.toString('latin1').slice(0, 500)}`));
    }, TIMEOUT_MS);
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parse(Buffer.concat(chunks).toString('utf8')));
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      // An event stream never ends.
      if (size > MAX_BYTES || chunk.includes('text/event-stream')) done();
    });
    // A request that is refused unread is answered before its connection is reset.
    socket.once('error', done);
    socket.once('close', done);
  });
}

function parse(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  // Skips the interim `100 Continue`.
  if (status === 100) return parse(text.slice(end + 4));
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()] as const;
    }),
  );
  const rest = end === -1 ? '' : text.slice(end + 4);
  const body =
    headers.get('transfer-encoding') === 'chunked' ? rest.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '') : rest;
  return { status, contentType: headers.get('content-type') ?? '', body };
}
