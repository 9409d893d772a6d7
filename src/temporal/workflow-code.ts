import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';

/** The workflows folder: sources under Jest, compiled code in dist/. */
const WORKFLOWS = path.join(__dirname, '..', '..', 'workflows');
const INTERCEPTORS = path.join(WORKFLOWS, 'interceptors');
const BUNDLE = path.join(WORKFLOWS, 'bundle.js');

/**
 * Sources of the bundle. The workflows' modules are loaded once for all runs, like the SDK's own, because they keep no
 * state outside of their functions. Otherwise each run would evaluate them again, and V8 would optimize each copy
 * separately.
 */
export const WORKFLOW_SOURCES = {
  workflowsPath: WORKFLOWS,
  workflowInterceptorModules: [INTERCEPTORS],
  preloadModules: [WORKFLOWS, INTERCEPTORS],
};

/** The worker options that select the workflows' code. */
export type WorkflowCode = Pick<
  WorkerOptions,
  'workflowBundle' | 'workflowsPath' | 'interceptors' | 'bundlerOptions'
>;

/**
 * Returns the bundle from the build, so that every process runs the same code and starts quickly; or, for tests, the
 * sources, which the worker bundles at startup.
 *
 * @throws Error if the bundle is missing
 */
export function workflowCode(prebuilt: boolean): WorkflowCode {
  if (!prebuilt) {
    const { workflowsPath, workflowInterceptorModules, preloadModules } = WORKFLOW_SOURCES;
    const interceptors = { workflowModules: workflowInterceptorModules };
    return { workflowsPath, interceptors, bundlerOptions: { preloadModules } };
  }
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
    ...WORKFLOW_SOURCES,
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(BUNDLE, code);
  return BUNDLE;
}
