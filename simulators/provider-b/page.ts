/** Renders a page with one button for each choice. To abandon it, the payer closes it. */
export function choicePage(
  title: string,
  lines: readonly string[],
  choices: Readonly<Partial<Record<string, string>>>,
): string {
  const buttons = Object.entries(choices).map(
    ([choice, label]) =>
      `<p><button name="choice" value="${escapeHtml(choice)}">${escapeHtml(label ?? choice)}</button></p>`,
  );
  const nothing = '<p>There is nothing left to approve here.</p>';
  return page(
    title,
    `${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}
<form method="post">${buttons.length === 0 ? nothing : buttons.join('')}</form>`,
  );
}

export function messagePage(message: string): string {
  return page(message, '');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:16px system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1rem;width:100%;cursor:pointer}</style></head>
<body><p>Simulated provider B. No money moves.</p><h1>${escapeHtml(title)}</h1>${content}</body></html>`;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Partial<Record<string, string>>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
