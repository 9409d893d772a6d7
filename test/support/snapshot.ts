import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Compares text with a committed file; with UPDATE_SNAPSHOTS=1, writes the file first.
 *
 * @param file path from the project's root
 */
export function expectCommitted(file: string, text: string): void {
  const target = path.join(__dirname, '..', '..', file);
  if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(target, text);
  if (readFileSync(target, 'utf8') !== text) {
    const state = expect.getState();
    throw new Error(
      `${file} is not what the code makes. Look at the difference, then run: UPDATE_SNAPSHOTS=1 npx jest ${path.relative(process.cwd(), state.testPath ?? '')}`,
    );
  }
}
