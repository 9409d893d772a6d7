import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster, type PostgresCluster } from '../src/embedded/postgres-cluster';
import { reopenScratch, seedScratch, type Scratch } from './seed';

const SUPERUSER_PASSWORD = 'bench';

const keptSchema = z.object({
  name: z.string(),
  workspaceId: z.string(),
  key: z.string(),
  uses: z.number(),
  customers: z.number(),
});

interface SeriesData {
  cluster: PostgresCluster;
  scratch: Scratch;
  /** Whether an earlier run has generated and rolled up the uses. */
  isKept: boolean;
  /** Makes it available to later runs. */
  keep(): void;
  close(): Promise<void>;
}

/**
 * Starts a Postgres server with a workspace for the benchmark's uses.
 *
 * @param folder where they are kept for later runs; undefined: nothing is kept
 * @throws Error if the folder has data of another size
 */
export async function openSeriesData(
  folder: string | undefined,
  size: { uses: number; customers: number },
): Promise<SeriesData> {
  const root = folder ?? mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'));
  mkdirSync(root, { recursive: true });
  // Started by root, Postgres runs as its own account, which has to enter the folder.
  if (folder === undefined) chmodSync(root, 0o711);
  const dataDirectory = path.join(root, 'postgres');
  const file = path.join(root, 'series.json');
  const kept = existsSync(file) ? keptSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  if (kept === undefined) rmSync(dataDirectory, { recursive: true, force: true });
  else if (kept.uses !== size.uses || kept.customers !== size.customers) {
    throw new Error(
      `${root} has ${kept.uses} uses of ${kept.customers} customers. Ask for as many, or name another folder.`,
    );
  }
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword: SUPERUSER_PASSWORD,
    settings: { shared_buffers: '2GB', max_wal_size: '8GB' },
  });
  const { adminUrl } = cluster;
  const scratch =
    kept === undefined ? await seedScratch(adminUrl, size.customers, 0) : await reopenScratch(adminUrl, kept);
  const { name, workspaceId, key } = scratch;
  return {
    cluster,
    scratch,
    isKept: kept !== undefined,
    keep: () => {
      writeFileSync(file, JSON.stringify({ name, workspaceId, key, ...size }));
    },
    close: async () => {
      await cluster.stop();
      if (folder === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}
