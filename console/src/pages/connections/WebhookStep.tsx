import { Alert, List, Stack, Text } from '@mantine/core';
import type { Connection } from '../../api/resources';
import { Id } from '../../ui/Id';
import { missingForWebhooks, PROVIDER_FIELDS } from './provider-fields';

/** What to register at the provider, so that its webhooks arrive. */
export function WebhookStep({ connection }: { connection: Connection }) {
  const missing = missingForWebhooks(connection);
  return (
    <Stack>
      <Text size="sm">Register this webhook URL at the provider. It belongs to this connection only.</Text>
      <Id value={connection.webhookUrl} />
      <List type="ordered" size="sm" aria-label="What to do at the provider">
        {PROVIDER_FIELDS[connection.provider].register.map((act) => (
          <List.Item key={act}>{act}</List.Item>
        ))}
      </List>
      {missing.length > 0 && (
        <Alert color="yellow" variant="light" title="Webhooks are refused until then">
          Missing to verify them: {missing.join(', ')}.
        </Alert>
      )}
    </Stack>
  );
}
