import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILD } from './installation';

/** Workflow patches that the version before the local transactions had. */
const KNOWN_THEN = ['2026-11-past-due-reads', '2026-11-queues-by-environment'];
const PATCHED = /\(0, \w+\.patched\)\('([\w-]+)'\)/g;

export interface EarlierBuild {
  directory: string;
  remove(): Promise<void>;
}

/**
 * Creates a copy of the compiled service whose workflows know no later patch: their runs take the earlier branches, and
 * they cannot replay a history with a later marker. Only the bundle file differs.
 *
 * @param compiled the folder of an earlier version's own compiled code, which is used unchanged
 */
export async function earlierBuild(compiled: string | undefined): Promise<EarlierBuild> {
  if (compiled !== undefined) return { directory: compiled, remove: () => Promise.resolve() };
  // Under node_modules, so that the code can resolve its packages.
  const directory = await mkdtemp(path.join(process.cwd(), 'node_modules', '.cache', 'earlier-build-'));
  await cp(BUILD, directory, { recursive: true });
  const bundle = path.join(directory, 'workflows', 'bundle.js');
  let taken = 0;
  const code = (await readFile(bundle, 'utf8')).replaceAll(PATCHED, (call, patch: string) => {
    if (KNOWN_THEN.includes(patch)) return call;
    taken += 1;
    return 'false';
  });
  if (taken === 0) throw new Error('The bundle has no later patch: it is no earlier version.');
  await writeFile(bundle, code);
  return { directory, remove: () => rm(directory, { recursive: true }) };
}
