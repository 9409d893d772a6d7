import { Checkbox, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { Intent } from '../../api/commands';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { localTimeProblem, toInstant } from '../../ui/local-time';
import { ENDPOINT_VIEWS } from './queries';
import { useDeliverySearch } from './use-delivery-search';

/** Resends the messages since a time. */
export function ResendSince({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { query } = useWorkspace();
  const { show } = useDeliverySearch();
  const [intent] = useState(() => new Intent());
  const form = useForm({
    initialValues: { since: '', undeliveredOnly: true },
    validate: { since: (value) => (value === '' ? 'Choose since when.' : localTimeProblem(value)) },
  });
  return (
    <FormDialog
      title="Send again since a time"
      submit="Send again"
      form={form}
      send={async ({ since, undeliveredOnly }) => {
        const body = { since: toInstant(since), undeliveredOnly };
        const started = await bodyOf(
          api.POST('/api/webhook-endpoints/{id}/resends', {
            params: {
              query,
              path: { id: endpoint.id },
              header: { 'Idempotency-Key': intent.keyFor(body) },
            },
            body,
          }),
        );
        intent.end();
        return started;
      }}
      refresh={ENDPOINT_VIEWS}
      onClose={onClose}
      onDone={({ id }) => show({ resend: id })}
    >
      <Text size="sm">
        The messages that were sent to the endpoint, and those of the types that it receives now, with the
        same <code>webhook-id</code>: a receiver that ignores the ids it has seen processes none twice.
      </Text>
      <TextInput
        type="datetime-local"
        label="Since"
        description="In your time zone. Messages are kept for 30 days."
        withAsterisk
        data-autofocus
        {...form.getInputProps('since')}
      />
      <Checkbox
        label="Only what it has not received"
        description="Failed, cancelled, waiting for a retry, or never sent to it. Otherwise all."
        {...form.getInputProps('undeliveredOnly', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}
