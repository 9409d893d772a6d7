import type { Environment } from '../../domain/environment';
import { errorCatalogue, type ErrorDefinition } from '../../domain/errors';
import { inline, page } from './page';

/** The style sheet of all pages; the reference adds its own. */
export const stylesheet = `:root { color-scheme: light; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; }
header nav { padding: 0.75rem 1.5rem; border-bottom: 1px solid #d0d7de; }
header a { margin-left: 1.25rem; color: #0a5ab5; }
.errors { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
.errors h3 { margin: 2rem 0 0.25rem; font: 600 1rem/1.5 ui-monospace, monospace; }
.errors h3 a { color: inherit; }
.errors h3 small { margin-left: 0.5rem; color: #57606a; font-weight: 400; }
.errors p { margin: 0.25rem 0; }
.errors :target { background: #fff8c5; }
.errors pre { overflow: auto; padding: 0.75rem; background: #f6f8fa; font: 0.85em/1.45 ui-monospace, monospace; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
`;

/** A gate's bar over its post. Browsers request an icon in any case. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0a5ab5" d="M1 3h14v3H1zM3 6h3v9H3z"/></svg>
`;

const ABOUT: Record<Environment | 'console', [title: string, about: string]> = {
  sandbox: [
    'Sandbox API',
    'For trying out: its keys begin with <code>svc_test_</code>, and nothing here is billed.',
  ],
  production: ['Production API', 'For real customers: its keys begin with <code>svc_live_</code>.'],
  console: ['Console API', 'For operators: the catalogue, customers, billing, keys, settings and members.'],
};

/** Renders the page at `/` of a host: what the host is, and links. */
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
${host === 'console' ? '' : '<li><a href="/docs/webhooks">Webhooks</a></li>\n'}<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/healthz">Whether it answers</a>, and <a href="/readyz">whether it can do its work</a></li>
</ul>
</article>`,
  );
}

/** Renders the API reference with try-it; everything that it loads comes from this host. */
export function referencePage(title: string): string {
  const head = `<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<script src="/docs/assets/swagger-ui-bundle.js" defer></script>
<script src="/docs/assets/reference.js" defer></script>
`;
  return page(
    title,
    head,
    '<div id="reference"></div>\n<noscript>The reference needs JavaScript; the <a href="/openapi.json">OpenAPI document</a> does not.</noscript>',
  );
}

/**
 * Starts the reference. A key typed in stays in the page's memory, and is lost when the page is closed. The examples of
 * optional query parameters are moved to their descriptions: Swagger UI would fill them in and send them, so that a
 * call tried as it is would be filtered by all of them and find nothing.
 */
export const referenceScript = `function withExamplesDescribed(spec) {
  const methods = Object.values(spec.paths ?? {}).flatMap((path) => Object.values(path));
  const parameters = methods.flatMap((method) => method.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(spec.components?.parameters ?? {})]) {
    const { schema = {} } = parameter;
    const example = parameter.example ?? schema.example;
    if (parameter.in !== 'query' || parameter.required || example === undefined) continue;
    parameter.description = [parameter.description, 'Example: \`' + example + '\`'].filter(Boolean).join('\\n\\n');
    delete parameter.example;
    delete schema.example;
  }
  return spec;
}

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  responseInterceptor: (answer) => {
    if (answer.ok && new URL(answer.url).pathname === '/openapi.json')
      answer.text = JSON.stringify(withExamplesDescribed(JSON.parse(answer.text)));
    return answer;
  },
});
`;

/** Lists every code under an anchor of its name, to which a problem's `type` points. */
export function errorsPage(): string {
  const byStatus = new Map<number, [string, ErrorDefinition][]>();
  for (const [code, definition] of Object.entries(errorCatalogue)) {
    byStatus.set(definition.status, [...(byStatus.get(definition.status) ?? []), [code, definition]]);
  }
  const sections = [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, entries]) => `<h2>Status ${status}</h2>\n${entries.map(entryOf).join('\n')}`);
  const introduction = `<h1>Error codes</h1>
<p>A refusal or a failure is answered as <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable and meant for programs; <code>detail</code> says what happened this time; <code>fix</code> is what follows here.</p>`;
  return page(
    'Error codes',
    '',
    `<article class="errors">\n${introduction}\n${sections.join('\n')}\n</article>`,
  );
}

function entryOf([code, { status, title, fix }]: [string, ErrorDefinition]): string {
  return `<section id="${code}">
<h3><a href="#${code}">${code}</a><small>${status}</small></h3>
<p>${inline(title)}</p>
<p><strong>Fix:</strong> ${inline(fix)}</p>
</section>`;
}
