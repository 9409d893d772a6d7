/** Text as HTML shows it. */
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

/** The frame that the documentation's pages share. `title` is text; `head` and `body` are HTML. */
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

/** One style sheet for all pages; the reference brings its own beside it. */
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
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
`;

/** A gate's bar over its post. Browsers ask for an icon in any case. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0a5ab5" d="M1 3h14v3H1zM3 6h3v9H3z"/></svg>
`;
