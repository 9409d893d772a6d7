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

/** What a folder answers in which this account may not write, or on whose disk nothing fits. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/** Whether a file could not be written for a reason that the reader can change. */
export const isNotWritable = (error) => NOT_WRITABLE.has(error?.code);

/** Runs a script's body; a problem becomes one message and exit code 1, whatever else is still under way. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}

function messageOf(error) {
  if (error instanceof Unavailable) return `\n${error.message}`;
  if (!isNotWritable(error)) return error;
  return `\n${error.message}\nTollgate installs its packages and builds in ${root}: this account must be able to write there, and the disk needs space.`;
}
