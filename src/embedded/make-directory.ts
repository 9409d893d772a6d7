import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../domain/errors';

/**
 * Creates a directory and its missing parents. Node's `recursive` is not used: where an existing directory takes no
 * entries (`/proc`, an automounter's), it tries forever.
 *
 * @throws the file system's error; EEXIST if something other than a directory has its name
 */
export async function makeDirectory(directory: string, options: { mode?: number } = {}): Promise<void> {
  try {
    await mkdir(directory, options);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return requireDirectory(directory, error);
    const parent = path.dirname(directory);
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error;
    await makeDirectory(parent, options);
    // Another process may have created it in the meantime.
    await mkdir(directory, options).catch((again: unknown) => {
      if (errorCode(again) !== 'EEXIST') throw again;
    });
  }
}

/** @throws `taken` if it is not a directory, or the error of a link that leads nowhere */
async function requireDirectory(directory: string, taken: unknown): Promise<void> {
  if (!(await stat(directory)).isDirectory()) throw taken;
}
