import { rm } from 'node:fs/promises';

export default async function globalTeardown(): Promise<void> {
  const { tollgateTestCluster: cluster } = globalThis as {
    tollgateTestCluster?: { stop(): Promise<void>; dataDirectory: string };
  };
  await cluster?.stop();
  for (const directory of [process.env['TOLLGATE_TEST_DIRECTORY'], cluster?.dataDirectory]) {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }
}
