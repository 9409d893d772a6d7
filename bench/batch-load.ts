import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Round, RoundResult } from './round';
import { percentile } from './percentile';

/** Sends batches one at a time on each connection. The count is of events, the latencies are of batches. */
export async function runBatches(round: Round, events: number): Promise<RoundResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: round.connections });
  const started = performance.now();
  const until = started + round.seconds * 1_000;
  const latencies: number[] = [];
  let [recorded, failures, first] = [0, 0, 0];
  const send = async (): Promise<void> => {
    const body = batchOf(events, round.customers, first);
    first += events;
    const sent = performance.now();
    const text = await post(agent, round, body).catch(() => '');
    latencies.push(performance.now() - sent);
    const granted = text.split('"status":200,').length - 1;
    recorded += granted;
    failures += events - granted;
  };
  await Promise.all(
    Array.from({ length: round.connections }, async () => {
      while (performance.now() < until) await send();
    }),
  );
  agent.destroy();
  const seconds = (performance.now() - started) / 1_000;
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { requests: recorded, seconds, p50, p99, failures };
}

function batchOf(events: number, customers: number, first: number): string {
  const id = randomUUID();
  const list = Array.from(
    { length: events },
    (_, index) =>
      `{"idempotencyKey":"${id}-${index}","externalId":"c${1 + ((first + index) % customers)}","feature":"ai_tokens","quantity":1}`,
  );
  return `{"events":[${list.join(',')}]}`;
}

function post(agent: Agent, round: Round, body: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${round.key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(round.url + round.path, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject).once('end', () => {
        resolve(Buffer.concat(chunks).toString('latin1'));
      });
    });
    sent.once('error', reject).end(body);
  });
}
