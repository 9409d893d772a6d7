import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { errorCode } from '../domain/errors';
import { StartError } from './start-error';

const secret = z.string().min(16);
const schema = z.object({
  postgresSuperuser: secret,
  migrator: secret,
  app: secret,
  worker: secret,
  relay: secret,
  deliverer: secret,
  apiKeyPepper: secret,
  cursorSecret: secret,
  operatorPassword: secret,
  credentialKeys: secret,
});

/** Secrets of a local installation: the passwords of the database roles and the keys of the service. */
export type LocalSecrets = z.infer<typeof schema>;

/**
 * Reads the installation's secrets, creating them at its first start. Secrets that only a newer version needs are
 * added.
 *
 * @throws StartError if the file is damaged, because with new secrets the data could not be opened
 */
export async function localSecrets(directory: string): Promise<LocalSecrets> {
  const file = path.join(directory, 'secrets.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '{}';
    throw error;
  });
  const known = z.record(z.string(), z.unknown()).safeParse(parse(text)).data;
  const made = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [
      name,
      name === 'credentialKeys'
        ? `local:${randomBytes(32).toString('base64url')}`
        : randomBytes(24).toString('base64url'),
    ]),
  );
  const all = known === undefined ? undefined : schema.safeParse({ ...made, ...known }).data;
  if (known === undefined || all === undefined) {
    throw new StartError(`${file} is damaged: restore it, or remove ${directory} to begin with new data.`);
  }
  if (Object.keys(made).some((name) => !(name in known))) {
    await writeFile(`${file}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  return all;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
