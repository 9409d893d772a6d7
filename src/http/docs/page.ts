/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Renders the frame shared by the documentation's pages. `title` is text; `head` and `body` are HTML. */
export function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/docs.css">
${head}</head>
<body>
<header><nav aria-label="Documentation"><strong>Tollgate</strong> <a href="/docs">API reference</a> <a href="/docs/errors">Error codes</a> <a href="/openapi.json">OpenAPI document</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Renders code between backticks, as the catalogue writes it. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
