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
  /** Where the simulated providers are, their pages too. */
  simulators: z.object({ a: z.string(), b: z.string(), c: z.string(), control: z.string() }),
  connections: demoConnectionsSchema,
  curl: z.array(z.string()),
});

/** What `npm start` prints: where everything is, and what to try it with. */
export type DemoFile = z.output<typeof demoFileSchema>;

/** The file of an earlier start; undefined when there is none that can be used. */
export async function readDemoFile(dataDirectory: string): Promise<DemoFile | undefined> {
  try {
    const text = await readFile(fileIn(dataDirectory), 'utf8');
    const parsed = demoFileSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** It holds keys and a password, so only its owner may read it. */
export async function writeDemoFile(dataDirectory: string, demo: DemoFile): Promise<void> {
  await mkdir(dataDirectory, { recursive: true });
  const unfinished = `${fileIn(dataDirectory)}.new`;
  await writeFile(unfinished, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, fileIn(dataDirectory));
}

/** Two calls to paste into a shell: may demo_acme use 500 tokens, and record that it did. */
export function demoCalls(sandboxUrl: string, key: string): string[] {
  const call = (path: string, more: string): string =>
    `curl -sS -w '\\n' ${sandboxUrl}${path} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' ${more}-d '{"externalId":"demo_acme","feature":"ai_tokens","quantity":500}'`;
  return [call('/v1/usage/check', ''), call('/v1/usage/track', `-H "Idempotency-Key: try-$(date +%s)-$$" `)];
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'demo.json');
}
