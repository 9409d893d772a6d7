import { readFileSync } from 'node:fs';
import path from 'node:path';

const DOCS = path.join(__dirname, '..', '..', 'docs');

/** Returns the largest body (KB) that a route of a reference takes. */
function largestBody(reference: string): number {
  const text = readFileSync(path.join(DOCS, 'openapi', `${reference}.json`), 'utf8');
  return Math.max(...[...text.matchAll(/"At most (\d+) KB\."/g)].map(([, kilobytes]) => Number(kilobytes)));
}

test('the page on deployment gives the largest body that a proxy must let through', () => {
  expect(readFileSync(path.join(DOCS, 'deployment.md'), 'utf8')).toContain(
    `The largest request body is ${largestBody('api') / 1024} MB (\`POST /v1/usage/batch\`), and ${largestBody('console')} KB on the console's port.`,
  );
});
