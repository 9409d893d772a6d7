import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailed, run } from './commands.mjs';
import { exists, inProject, Unavailable } from './project.mjs';

/**
 * @param folder within the project
 * @returns the files under it, from the project's root; none where there is no such folder
 */
export async function filesUnder(folder) {
  if (!(await exists(inProject(folder)))) return [];
  const entries = await readdir(inProject(folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(inProject(), path.join(entry.parentPath, entry.name)));
}

/** A hash over names, sizes and times of what a build is made from. */
export async function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = await stat(inProject(file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Runs a Node program as a step of a build. */
export async function buildStep(args, env = process.env) {
  try {
    await run(process.execPath, args, { cwd: inProject(), env });
  } catch (error) {
    if (error instanceof CommandFailed) throw new Unavailable(`${error.output}\nThe build failed.`);
    throw error;
  }
}
