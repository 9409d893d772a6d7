import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { Checkout } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { connectionsQuery } from '../connections/queries';
import { FormDialog } from '../../ui/FormDialog';
import { NumberField } from '../../ui/NumberField';
import { OFFER_RULES, OfferFields, type OfferValues } from '../../ui/OfferFields';
import { sayRunning } from '../../ui/say-running';
import { numberRule, type TypedNumber } from '../../ui/typed-number';
import { PROVIDERS } from '../../../../src/domain/provider.ts';
import { providerName } from '../../ui/providers';

const DAY_MINUTES = 1_440;

type CheckoutValues = OfferValues & {
  provider: Checkout['provider'];
  connectionId: string | null;
  days: TypedNumber;
};

/**
 * Offers a plan to a customer. The address where the customer pays comes from the party that collects, and is shown in
 * the list.
 */
export function CreateCheckout({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const { data: connections = [] } = useQuery(connectionsQuery(query));
  /** The provider's connections, if there is a choice. */
  const choicesOf = (provider: Checkout['provider']) => {
    const enabled = connections.filter((one) => one.provider === provider && one.disabledAt === null);
    return enabled.length > 1 ? enabled : [];
  };
  const form = useForm<CheckoutValues>({
    initialValues: {
      externalId: '',
      planId: '',
      seats: 1,
      provider: 'internal',
      connectionId: null,
      days: 1,
    },
    // A connection of another provider would be refused.
    onValuesChange: ({ provider, connectionId }, before) => {
      if (provider !== before.provider && connectionId !== null) form.setFieldValue('connectionId', null);
    },
    validate: {
      ...OFFER_RULES,
      connectionId: (chosen, { provider }) =>
        chosen === null && choicesOf(provider).length > 0 ? 'Choose the connection.' : null,
      days: numberRule({ min: 1, max: 30, whole: true }),
    },
  });
  const choices = choicesOf(form.getValues().provider);
  return (
    <FormDialog
      title="New checkout"
      submit="Create checkout"
      form={form}
      send={({ externalId, days, seats, connectionId, ...offer }) =>
        runCommand(
          query,
          intent,
          {
            ...offer,
            ...(connectionId !== null && { connectionId }),
            externalId: externalId.trim(),
            seats: Number(seats),
            expiresInMinutes: Number(days) * DAY_MINUTES,
            metadata: {},
          },
          (key, body) =>
            api.POST('/api/billing/checkouts', {
              params: { query, header: { 'Idempotency-Key': key } },
              body,
            }),
        )
      }
      refresh={[['checkouts'], ['subscriptions']]}
      onClose={onClose}
      onAnswer={sayRunning}
    >
      <OfferFields field={form.getInputProps} />
      <Select
        label="Who collects"
        description="Local billing has no page to pay on: record the payment of its transaction."
        allowDeselect={false}
        data={PROVIDERS.map((value) => ({ value, label: providerName(value) }))}
        {...form.getInputProps('provider')}
      />
      {choices.length > 0 && (
        <Select
          label="Connection"
          description="The provider has several."
          withAsterisk
          allowDeselect={false}
          searchable
          data={choices.map(({ id, displayName }) => ({
            value: id,
            label: `${isolate(displayName)}, ${id}`,
          }))}
          {...form.getInputProps('connectionId')}
        />
      )}
      <NumberField label="Days to pay" {...form.getInputProps('days')} />
    </FormDialog>
  );
}
