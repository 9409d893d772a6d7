import { Stack, Text, TextInput } from '@mantine/core';
import type { ConnectionForm } from './connection-form';
import { PlanReferences } from './PlanReferences';

/**
 * Settings of a connection that everyone may see: the account's names, the customers' return URL, and the plans'
 * references.
 */
export function SettingsStep({ form }: { form: ConnectionForm }) {
  return (
    <Stack>
      <Text size="sm">Everyone who can open this page sees these settings. Do not enter secrets here.</Text>
      <TextInput
        label="Merchant ID"
        description="For your records."
        {...form.getInputProps('settings.merchantId')}
      />
      <TextInput
        label="Account ID"
        description="For your records."
        {...form.getInputProps('settings.accountId')}
      />
      <TextInput
        label="Return URL"
        description="Where the provider sends customers after a checkout without its own return address. Must be https."
        placeholder="https://app.example.com/billing"
        inputMode="url"
        {...form.getInputProps('settings.returnUrl')}
      />
      <PlanReferences form={form} />
    </Stack>
  );
}
