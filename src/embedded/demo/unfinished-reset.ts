import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const fileIn = (dataDirectory: string): string => path.join(dataDirectory, 'demo-reset.unfinished');

/** Records that the demo's sandbox is incomplete, until {@link markResetFinished}. */
export async function markResetUnfinished(dataDirectory: string): Promise<void> {
  await writeFile(
    fileIn(dataDirectory),
    'npm run demo:reset has begun to recreate the demo, and removes this file when it is complete.\n',
  );
}

export async function markResetFinished(dataDirectory: string): Promise<void> {
  await rm(fileIn(dataDirectory), { force: true });
}

/** Whether a reset has emptied the demo's sandbox and ended before it had filled it again. */
export async function isResetUnfinished(dataDirectory: string): Promise<boolean> {
  try {
    await access(fileIn(dataDirectory));
    return true;
  } catch {
    return false;
  }
}
