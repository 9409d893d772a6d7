import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { postgresAccount } from '../../src/embedded/postgres-account';
import type { PostgresCluster } from '../../src/embedded/postgres-cluster';

/**
 * Copies a running cluster as `pg_basebackup` does, which the embedded Postgres lacks: copies its files between
 * `pg_backup_start` and `pg_backup_stop`.
 *
 * @param files to write into the copy, by name
 */
export async function copyCluster(
  { adminUrl, dataDirectory }: PostgresCluster,
  copy: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query("SELECT pg_backup_start('tollgate', fast => true)");
  execFileSync('cp', ['-a', dataDirectory, copy]);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  execFileSync('cp', ['-a', path.join(dataDirectory, 'pg_wal'), copy]);
  const account = await postgresAccount();
  for (const [name, content] of Object.entries({ ...files, backup_label: rows[0]?.labelfile ?? '' })) {
    const file = path.join(copy, name);
    writeFileSync(file, content, { mode: 0o600 });
    if (account !== undefined) execFileSync('chown', [`${account.uid}:${account.gid}`, file]);
  }
  rmSync(path.join(copy, 'postmaster.pid'));
}
