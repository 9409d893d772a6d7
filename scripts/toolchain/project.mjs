import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of package.json. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A name for this checkout, so that two of them on one machine do not wait for each other. */
export const checkout = createHash('sha256').update(root).digest('hex').slice(0, 12);

export const inProject = (...parts) => path.join(root, ...parts);

export const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  );

/** The message of a problem whose reader needs no stack: what to install, or which variable to set. */
export class Unavailable extends Error {}

/** Runs a script's body; a problem becomes one message and exit code 1, whatever else is still under way. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof Unavailable ? `\n${error.message}` : error);
    process.exit(1);
  }
}
