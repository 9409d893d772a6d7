import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';

/** The workflows: sources, or compiled beside this file's own compiled form. */
const WORKFLOWS = path.join(__dirname, '..', '..', 'workflows');
const BUNDLE = path.join(WORKFLOWS, 'bundle.js');

/** What a worker runs its workflows from. */
export type WorkflowCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;

/**
 * The bundle that the build has made, so that every process runs the same code and starts at once;
 * or (for tests, which run sources) the workflows as they are, bundled when the worker starts.
 *
 * @throws Error when the bundle is missing
 */
export function workflowCode(prebuilt: boolean): WorkflowCode {
  if (!prebuilt) return { workflowsPath: WORKFLOWS };
  if (!existsSync(BUNDLE)) throw new Error(`There is no ${BUNDLE}: build the service with npm run build.`);
  return { workflowBundle: { codePath: BUNDLE } };
}

/**
 * Makes the bundle of the compiled workflows; the build calls it.
 *
 * @returns the file
 */
export async function writeWorkflowBundle(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(BUNDLE, code);
  return BUNDLE;
}
