import { Client } from 'pg';

const TIMEOUT_MS = 30_000;

/**
 * Opens a connection outside the pools, for a process's startup. If the address accepts connections but nothing
 * answers, the process can report that and end, instead of waiting indefinitely.
 *
 * @throws Error if Postgres has not answered within 30 seconds
 */
export async function connectAnswering(
  connectionString: string,
  { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: timeoutMs });
  // A connection error fails the next query; without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    // The driver's message names neither Postgres nor its address.
    if (!(error instanceof Error) || error.message !== 'timeout expired') throw error;
    throw new Error(
      `Postgres at ${client.host}:${client.port} has not answered within ${timeoutMs / 1_000} s. Check that it is running, and that the database address of this process leads to it.`,
      { cause: error },
    );
  });
  return client;
}
