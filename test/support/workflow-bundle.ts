import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WORKFLOW_SOURCES } from '../../src/temporal/workflow-code';

/** Returns worker options that run the workflows in this thread: a separate thread costs half a second to start. */
export async function workflowsInThread(): Promise<{
  workflowBundle: { codePath: string };
  debugMode: true;
}> {
  return { ...(await workflowBundle()), debugMode: true };
}

/** Bundles the current workflows once per test run; processes that a test starts use the same bundle. */
export async function workflowBundle(): Promise<{ workflowBundle: { codePath: string } }> {
  const directory = process.env['TOLLGATE_TEST_DIRECTORY'];
  if (directory === undefined) throw new Error('The global set-up has not made a directory.');
  const codePath = path.join(directory, 'workflows.js');
  if (!existsSync(codePath)) {
    const { code } = await bundleWorkflowCode({
      ...WORKFLOW_SOURCES,
      logger: new DefaultLogger('ERROR'),
    });
    // Another test file may be writing the same bundle.
    const mine = `${codePath}.${process.pid}`;
    await writeFile(mine, code);
    await rename(mine, codePath);
  }
  return { workflowBundle: { codePath } };
}
