/**
 * A receiver of webhooks: it verifies each, takes it once, and drops what is older than what it knows of the resource.
 * `WEBHOOK_SECRET` is the endpoint's secret, `PORT` where it listens (3000).
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '3000' } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of the endpoint (whsec_…).');
  process.exit(2);
}

const webhook = new Webhook(WEBHOOK_SECRET);
/** Keep both in a database, in one transaction with what you do. */
const taken = new Set();
const sequences = new Map();

function take({ id, type, sequence, resource }) {
  if (taken.has(id)) return;
  taken.add(id);
  if (sequence <= (sequences.get(resource.id) ?? 0)) return;
  sequences.set(resource.id, sequence);
  console.log(`${type} ${resource.id}`);
}

/** The size of the largest message. More is not kept, because anybody can send to this address. */
const MAX_BYTES = 256 * 1024;

const server = createServer((request, response) => {
  const chunks = [];
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    let payload;
    try {
      // Over the bytes as they came: parsing and writing them again would change them.
      payload = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    } catch {
      response.writeHead(401).end();
      return;
    }
    take(payload);
    response.writeHead(204).end();
  });
});

server.once('error', ({ code, message }) => {
  console.error(
    code === 'EADDRINUSE' ? `Port ${PORT} of 127.0.0.1 is taken: set PORT to another one.` : message,
  );
  process.exit(1);
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/hook`);
});
