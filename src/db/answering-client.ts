import { Client } from 'pg';

const PATIENCE_MS = 5_000;

/**
 * A connection beside the pools, for what a process does as it starts. Where the address takes connections and nothing
 * answers, the process can say so and end, instead of waiting for ever.
 *
 * @throws Error when Postgres has not answered within five seconds
 */
export async function connectAnswering(
  connectionString: string,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: patienceMs });
  // What breaks here fails the next query; without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    // The driver's own words name neither Postgres nor its address.
    if (!(error instanceof Error) || error.message !== 'timeout expired') throw error;
    throw new Error(
      `Postgres at ${client.host}:${client.port} has not answered within ${patienceMs / 1_000} s. Check that it is running, and that the database address of this process leads to it.`,
      { cause: error },
    );
  });
  return client;
}
