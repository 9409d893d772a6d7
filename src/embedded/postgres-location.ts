import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { canReach, postgresAccount } from './postgres-account';

/**
 * Where an installation's cluster lies: in its data directory, unless we are root and Postgres's account may not
 * enter that (a checkout in root's home), which puts it under /var/lib/tollgate, in a place of that checkout's own.
 */
export async function postgresLocation(dataDirectory: string): Promise<string> {
  const inside = path.join(dataDirectory, 'postgres');
  const account = await postgresAccount();
  if (account === undefined || (await canReach(account, inside))) return inside;
  const name = createHash('sha256').update(path.resolve(dataDirectory)).digest('hex').slice(0, 12);
  const outside = path.join('/var/lib/tollgate', name);
  await mkdir(outside, { recursive: true });
  return path.join(outside, 'postgres');
}
