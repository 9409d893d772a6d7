import type { Environment } from '../../domain/environment';
import { page } from './page';

const ABOUT: Record<Environment | 'console', [title: string, about: string]> = {
  sandbox: [
    'Sandbox API',
    'For trying out: its keys begin with <code>svc_test_</code>, and nothing here is billed to anybody.',
  ],
  production: ['Production API', 'For real customers: its keys begin with <code>svc_live_</code>.'],
  console: ['Console API', 'For operators: the catalogue, customers, billing, keys, settings and members.'],
};

/** What stands at `/` of a host: what this is, and where to go from here. */
export function frontPage(host: Environment | 'console'): string {
  const [title, about] = ABOUT[host];
  return page(
    `Tollgate ${title}`,
    '',
    `<article class="errors">
<h1>Tollgate ${title}</h1>
<p>${about}</p>
<ul>
<li><a href="/docs">API reference</a>, with try-it</li>
<li><a href="/docs/errors">Error codes</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/healthz">Whether it answers</a>, and <a href="/readyz">whether it can do its work</a></li>
</ul>
</article>`,
  );
}
