import { Stack, Text } from '@mantine/core';
import type { Connection } from '../../api/resources';
import type { ConnectionForm } from './connection-form';
import { PROVIDER_FIELDS } from './provider-fields';
import { SecretInput } from './SecretInput';

/** Secrets of the account. Stored ones are never shown, and stay unless replaced. */
export function CredentialsStep({
  form,
  connection,
}: {
  form: ConnectionForm;
  connection: Connection | null;
}) {
  const { provider } = form.getValues();
  return (
    <Stack>
      <Text size="sm">
        Secrets are stored encrypted and never shown again.
        {connection === null &&
          ' A secret that you do not have yet can be added later with Edit on the connection’s page.'}
      </Text>
      {PROVIDER_FIELDS[provider].secrets.map((field) => (
        <SecretInput
          // Fields with the same name are different secrets at different providers.
          key={`${provider} ${field.name}`}
          field={field}
          stored={connection?.secrets[field.name] ?? null}
          value={form.getValues().secrets[field.name] ?? ''}
          error={form.errors[`secrets.${field.name}`]}
          onChange={(value) => form.setFieldValue(`secrets.${field.name}`, value)}
        />
      ))}
    </Stack>
  );
}
