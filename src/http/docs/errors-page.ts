import { errorCatalogue, type ErrorDefinition } from '../../domain/errors';
import { escapeHtml, page } from './page';

/** Every code, under an anchor of its name: where a problem's `type` points. */
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

/** The catalogue writes code between backticks. */
function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
