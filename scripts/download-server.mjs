/**
 * The SDK downloads a server only by starting it. A process of its own, because that loads the SDK's native part,
 * whose download cannot be called off otherwise.
 *
 *   node scripts/download-server.mjs cli|test-server <directory>
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [kind, downloadDir] = process.argv.slice(2);
const server = { executable: { type: 'cached-download', downloadDir } };
try {
  const environment =
    kind === 'cli'
      ? await TestWorkflowEnvironment.createLocal({ server })
      : await TestWorkflowEnvironment.createTimeSkipping({ server });
  await environment.teardown();
} catch (error) {
  // One line: of a failure, the caller shows the last. Uncaught, that would be the version of Node.
  console.error(error.message);
  process.exit(1);
}
process.exit(0);
