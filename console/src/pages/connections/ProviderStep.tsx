import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { useWorkspace } from '../../app/workspace';
import { providerName } from '../../ui/providers';
import type { ConnectionForm } from './connection-form';

const PROVIDERS = [
  ['provider_a', 'Changes at once, with proration by the provider.'],
  ['provider_b', 'The customer approves each change, which takes effect at the renewal.'],
  ['provider_c', 'Sells and renews; a plan cannot be changed there.'],
] as const;

/** The provider, and the environment in which the account will be used. */
export function ProviderStep({ form, isNew }: { form: ConnectionForm; isNew: boolean }) {
  const { env } = useWorkspace();
  const choose = (value: string) => {
    const provider = PROVIDERS.find(([known]) => known === value)?.[0];
    // Secrets of another provider are not this one's, and it may have no field in which to remove them.
    if (provider !== undefined) form.setValues({ provider, secrets: {} });
  };
  return (
    <Stack>
      <TextInput
        label="Name"
        description="For your team."
        withAsterisk
        data-autofocus
        {...form.getInputProps('displayName')}
      />
      {isNew && (
        <Radio.Group label="Payment provider" {...form.getInputProps('provider')} onChange={choose}>
          <Stack gap="xs" mt={4}>
            {PROVIDERS.map(([value, description]) => (
              <Radio key={value} value={value} label={providerName(value)} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Alert
        variant="light"
        color="gray"
        title={`It is used in ${env === 'sandbox' ? 'the sandbox' : 'production'}`}
      >
        {env === 'sandbox'
          ? 'Enter the credentials of the provider’s test mode. Sandbox secrets cannot be copied to production: make another connection there, with its own.'
          : 'Enter the credentials of the provider’s live mode. Secrets of the sandbox cannot be copied to production and are refused here.'}
      </Alert>
    </Stack>
  );
}
