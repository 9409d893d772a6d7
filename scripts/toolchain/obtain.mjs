import { isExecutable } from './commands.mjs';
import { log } from './progress.mjs';
import { Unavailable } from './project.mjs';

/**
 * Carries out a plan of sources.mjs.
 *
 * @param ways for each name in `plan.tries`, a function that gets the program and returns its path
 * @returns the path of the program
 * @throws Unavailable with one sentence: what to install or which variable to set
 */
export async function obtain(plan, ways) {
  if (plan.use !== undefined) {
    if (await isExecutable(plan.use)) return plan.use;
    throw new Unavailable(
      `${plan.named ?? 'The cache'} names ${plan.use}, which cannot be run: correct it or leave it out.`,
    );
  }
  for (const name of plan.tries) {
    try {
      return await ways[name]();
    } catch (error) {
      log(`  ${error.lastLine ?? error.message}`);
    }
  }
  throw new Unavailable(plan.otherwise);
}
