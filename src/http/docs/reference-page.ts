import { page } from './page';

/** The API reference with try-it; everything that it loads comes from this host. */
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

/** Starts the reference. A key that is typed in stays in the page's memory and is gone when it is closed. */
export const referenceScript = `window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
`;
