import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { demoConnectionsSchema } from './demo-connections';

const demoFileSchema = z.object({
  consoleUrl: z.string(),
  sandboxBaseUrl: z.string(),
  productionBaseUrl: z.string(),
  temporalUiUrl: z.string().nullable(),
  operator: z.object({ email: z.string(), password: z.string() }),
  organizationId: z.string(),
  sandboxKey: z.string(),
  productionKey: z.string(),
  /** Addresses of the simulated providers, including their pages. */
  simulators: z.object({ a: z.string(), b: z.string(), c: z.string(), control: z.string() }),
  connections: demoConnectionsSchema,
  curl: z.array(z.string()),
});

/** What `npm start` prints: all addresses, and credentials to try them with. */
export type DemoFile = z.output<typeof demoFileSchema>;

/** Reads the file of an earlier start; undefined if there is no usable one. */
export async function readDemoFile(dataDirectory: string): Promise<DemoFile | undefined> {
  try {
    const text = await readFile(fileIn(dataDirectory), 'utf8');
    const parsed = demoFileSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the file, readable only by its owner because it contains keys and a password. */
export async function writeDemoFile(dataDirectory: string, demo: DemoFile): Promise<void> {
  await mkdir(dataDirectory, { recursive: true });
  const unfinished = `${fileIn(dataDirectory)}.new`;
  await writeFile(unfinished, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, fileIn(dataDirectory));
}

/** Returns two calls to paste into a shell: one checks whether demo_acme may use 500 tokens, one records the use. */
export function demoCalls(sandboxUrl: string, key: string): string[] {
  const call = (path: string, more: string): string =>
    `curl -sS -w '\\n' ${sandboxUrl}${path} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' ${more}-d '{"externalId":"demo_acme","feature":"ai_tokens","quantity":500}'`;
  return [call('/v1/usage/check', ''), call('/v1/usage/track', `-H "Idempotency-Key: try-$(date +%s)-$$" `)];
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'demo.json');
}
