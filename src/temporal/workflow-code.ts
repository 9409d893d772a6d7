import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';

/** The workflows folder: sources under Jest, compiled code in dist/. */
const WORKFLOWS = path.join(__dirname, '..', '..', 'workflows');
const BUNDLE = path.join(WORKFLOWS, 'bundle.js');

/** The worker option that names the workflows' code. */
export type WorkflowCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;

/**
 * The bundle from the build, so that every process runs the same code and starts quickly; or, for tests, the sources,
 * which the worker bundles when it starts.
 *
 * @throws Error when the bundle is missing
 */
export function workflowCode(prebuilt: boolean): WorkflowCode {
  if (!prebuilt) return { workflowsPath: WORKFLOWS };
  if (!existsSync(BUNDLE)) throw new Error(`There is no ${BUNDLE}: build the service with npm run build.`);
  return { workflowBundle: { codePath: BUNDLE } };
}

/**
 * Bundles the compiled workflows; the build calls it.
 *
 * @returns the bundle's path
 */
export async function writeWorkflowBundle(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(BUNDLE, code);
  return BUNDLE;
}
