import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** What the demo data's entry point writes for whoever tries the service. */
const demoSchema = z.looseObject({
  consoleUrl: z.string(),
  sandboxBaseUrl: z.string(),
  productionBaseUrl: z.string(),
  temporalUiUrl: z.string().nullish(),
  operator: z.object({ email: z.string(), password: z.string() }),
  organizationId: z.string(),
  sandboxKey: z.string(),
  productionKey: z.string(),
  curl: z.array(z.string()).default([]),
});

/** The addresses, the demo operator, the keys and two calls to paste, from `demo.json` of the data directory. */
export async function announcement(dataDirectory: string): Promise<string> {
  const file = path.join(dataDirectory, 'demo.json');
  const demo = demoSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const rows: [string, string][] = [
    ['Console', demo.consoleUrl],
    ['Sandbox API', demo.sandboxBaseUrl],
    ['Production API', demo.productionBaseUrl],
    [
      'Temporal',
      demo.temporalUiUrl ?? 'not running: checks and tracks work, changes of subscriptions answer 503',
    ],
    ['Operator', `${demo.operator.email}  ${demo.operator.password}`],
    ['Organization', demo.organizationId],
    ['Sandbox key', demo.sandboxKey],
    ['Production key', demo.productionKey],
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(15)} ${value}`);
  const calls = demo.curl.map((command) => `\n${command}`);
  return [
    '',
    'Tollgate is ready.',
    '',
    ...table,
    '',
    'Try it:',
    ...calls,
    '',
    `(All of this is in ${file}. Ctrl-C stops it; the data stays.)`,
    '',
  ].join('\n');
}
