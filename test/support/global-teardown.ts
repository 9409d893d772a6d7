import { rm } from 'node:fs/promises';

export default async function globalTeardown(): Promise<void> {
  const { tollgateTestCluster: cluster } = globalThis as {
    tollgateTestCluster?: { stop(): Promise<void>; dataDirectory?: string };
  };
  if (cluster === undefined) return;
  await cluster.stop();
  if (cluster.dataDirectory !== undefined) await rm(cluster.dataDirectory, { recursive: true, force: true });
}
