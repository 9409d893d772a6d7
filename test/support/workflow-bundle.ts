import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WORKFLOW_SOURCES } from '../../src/temporal/workflow-code';

/** The bundle for a worker of this process, whose workflows run in this thread: one of their own costs half a second. */
export async function workflowsInThread(): Promise<{
  workflowBundle: { codePath: string };
  debugMode: true;
}> {
  return { ...(await workflowBundle()), debugMode: true };
}

/** The workflows as they are now, bundled once in a run of the tests; a process that a test starts takes the same. */
export async function workflowBundle(): Promise<{ workflowBundle: { codePath: string } }> {
  const directory = process.env['TOLLGATE_TEST_DIRECTORY'];
  if (directory === undefined) throw new Error('The global set-up has not made a directory.');
  const codePath = path.join(directory, 'workflows.js');
  if (!existsSync(codePath)) {
    const { code } = await bundleWorkflowCode({
      ...WORKFLOW_SOURCES,
      logger: new DefaultLogger('ERROR'),
    });
    // Another test file may be at the same.
    const mine = `${codePath}.${process.pid}`;
    await writeFile(mine, code);
    await rename(mine, codePath);
  }
  return { workflowBundle: { codePath } };
}
