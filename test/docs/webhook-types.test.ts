import { WEBHOOK_TYPES, webhookTypeOf } from '../../src/domain/webhook-types';
import { exampleOf } from '../../src/webhook-messages/message-examples';
import { payloadSchemaOf } from '../../src/webhook-messages/message-schema';
import { expectCommitted } from '../support/snapshot';

function pageText(): string {
  const contents = WEBHOOK_TYPES.map(
    (type) =>
      `- [\`${type}\`](#${type.replaceAll(/[._]/g, (sign) => (sign === '.' ? '' : sign))}): ${webhookTypeOf(type).sent}`,
  );
  const sections = WEBHOOK_TYPES.map((type) => {
    const { resource, sent } = webhookTypeOf(type);
    const example = exampleOf(type);
    const shown = example === undefined ? '' : `\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
    return `## ${type}\n\n${sent} About a ${resource.replace('_', ' ')}.\n${shown}`;
  });
  return `# Webhook types

<!-- Generated from src/domain/webhook-types.ts and src/webhook-messages/examples.json: UPDATE_SNAPSHOTS=1 npx jest test/docs/webhook-types.test.ts -->

The message types that Tollgate sends to your webhook endpoints, when each is sent, and an example of each. [Webhooks to your application](outgoing-webhooks.md) describes how messages are sent, and how to try them on your machine.

${contents.join('\n')}

${sections.join('\n')}`;
}

test('docs/webhook-types.md is current', () => {
  expectCommitted('docs/webhook-types.md', pageText());
});

test.each(WEBHOOK_TYPES)('the example of %s is one', (type) => {
  expect(() => payloadSchemaOf(type).parse(exampleOf(type))).not.toThrow();
});
