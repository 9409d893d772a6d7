import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const TYPES = path.join(ROOT, 'console', 'src', 'api', 'schema.d.ts');

test('the page’s types are those of the OpenAPI document; UPDATE_SNAPSHOTS=1 makes them', async () => {
  const document = JSON.parse(
    readFileSync(path.join(ROOT, 'docs', 'openapi', 'console.json'), 'utf8'),
  ) as object;
  // Imported as a module: TypeScript 7 does not see the types that the CommonJS package exports besides `export =`.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const made = `/** Made from docs/openapi/console.json by test/console/api-types.test.ts. Do not edit. */\n\n${astToString(await openapiTS(document as never))}`;
  if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(TYPES, made);
  expect(readFileSync(TYPES, 'utf8') === made).toBe(true);
});
