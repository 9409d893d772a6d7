import { WEBHOOK_TYPES, webhookTypeOf, type WebhookType } from '../../domain/webhook-types';
import { exampleOf } from '../../webhook-messages/message-examples';
import { escapeHtml, inline, page } from './page';

/** Lists every webhook type that is sent, under an anchor of its name, with an example. */
export function webhooksPage(): string {
  const introduction = `<h1>Webhooks</h1>
<p>Each event is one message, sent to every endpoint of its environment that is subscribed to its type, according to <a href="https://www.standardwebhooks.com">Standard Webhooks</a>. It is delivered at least once, in no guaranteed order: process each <code>id</code> once, and drop a message whose <code>sequence</code> is not higher than the last one that you processed for its <code>resource</code>. <code>data</code> is the resource as the API returns it when the message is first sent, or null if it has been deleted by then.</p>`;
  const sections = WEBHOOK_TYPES.map(sectionOf).join('\n');
  return page('Webhooks', '', `<article class="errors">\n${introduction}\n${sections}\n</article>`);
}

function sectionOf(type: WebhookType): string {
  const { resource, sent } = webhookTypeOf(type);
  const example = exampleOf(type);
  const shown =
    example === undefined
      ? ''
      : `\n<details><summary>Example</summary><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre></details>`;
  return `<section id="${type}">
<h3><a href="#${type}">${type}</a><small>${resource}</small></h3>
<p>${inline(sent)}</p>${shown}
</section>`;
}
