import autocannon, { type Options, type Request, type Result } from 'autocannon';
import { runBatches } from './batch-load';
import { percentile } from './percentile';
import type { Round, RoundResult } from './round';

/** The load generator: a separate process, so that its CPU is not counted as the service's. */
async function run(round: Round): Promise<RoundResult> {
  const latencies: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const generator = autocannon(optionsOf(round), (error: Error | null, finished) => {
      if (error === null) resolve(finished);
      else reject(error);
    });
    // Its own histogram counts in whole milliseconds.
    generator.on('response', (_client, _status, _bytes, milliseconds) => {
      latencies.push(milliseconds);
    });
  });
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

function optionsOf(round: Round): Options {
  let connection = 0;
  return {
    url: round.url,
    connections: round.connections,
    duration: round.seconds,
    ...(round.rate !== undefined && { overallRate: round.rate }),
    // Only a track needs a unique key, but generating one costs the generator time, so all loads pay it alike.
    idReplacement: true,
    requests: [requestTo(round, 0)],
    setupClient: (client) => {
      const first = connection * CUSTOMERS_OF_A_CONNECTION;
      connection += 1;
      client.setRequests(
        Array.from({ length: CUSTOMERS_OF_A_CONNECTION }, (_, index) => requestTo(round, first + index)),
      );
    },
  };
}

/**
 * Customers called in turn by each connection, which has its own. The generator builds its requests before the first is
 * answered: with a thousand per connection, that took a third of a slice of two seconds, and was the p99.
 */
const CUSTOMERS_OF_A_CONNECTION = 50;

/** A prime stride scatters the calls over all customers, so that concurrent ones hit many of them. */
const STRIDE = 611_953;

function requestTo(round: Round, index: number): Request {
  return {
    method: 'POST',
    path: round.path,
    headers: {
      authorization: `Bearer ${round.key}`,
      'content-type': 'application/json',
      'idempotency-key': '[<id>]',
    },
    body: JSON.stringify({
      externalId: `c${1 + ((index * STRIDE) % round.customers)}`,
      feature: 'ai_tokens',
      quantity: 1,
    }),
  };
}

process.on('message', (round: Round) => {
  const ran = round.events === undefined ? run(round) : runBatches(round, round.events);
  ran.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

process.once('disconnect', () => process.exit(0));
