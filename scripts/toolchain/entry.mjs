import Module from 'node:module';
import { Unavailable, exists } from './project.mjs';

/**
 * Goes on as the compiled program, in this process: signals, exit code and terminal are its own, with no process
 * in between that would have to pass them on.
 */
export async function become(file, args) {
  if (!(await exists(file))) throw new Unavailable(`There is no ${file}: is the name right?`);
  process.argv = [process.argv[0], file, ...args];
  Module.runMain(file);
}
