import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { Checkout } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { planChoices } from '../../ui/catalogue-choices';
import { SearchSelect } from '../../ui/SearchSelect';
import { NumberField } from '../../ui/NumberField';
import { MAX_SEATS, numberRule, type TypedNumber } from '../../ui/typed-number';
import { providerName } from '../subscriptions/provider-name';
import { PROVIDERS } from '../subscriptions/filters';
import { sayRunning } from '../../ui/say-running';

const DAY_MINUTES = 1_440;

/**
 * Offers a plan to a customer. The address where the customer pays comes from the party that collects, and is shown in
 * the list.
 */
export function CreateCheckout({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const form = useForm<{
    externalId: string;
    planId: string;
    seats: TypedNumber;
    provider: Checkout['provider'];
    days: TypedNumber;
  }>({
    initialValues: { externalId: '', planId: '', seats: 1, provider: 'internal', days: 1 },
    validate: {
      externalId: (value) => (value.trim() === '' ? 'Enter the customer’s external id.' : null),
      planId: (value) => (value === '' ? 'Choose the plan.' : null),
      seats: numberRule({ min: 1, max: MAX_SEATS, whole: true }),
      days: numberRule({ min: 1, max: 30, whole: true }),
    },
  });
  return (
    <FormDialog
      title="New checkout"
      submit="Make the checkout"
      form={form}
      send={({ externalId, days, seats, ...offer }) =>
        runCommand(
          query,
          intent,
          {
            ...offer,
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
      onDone={sayRunning}
    >
      <TextInput
        label="Customer"
        description="The external id, as usage calls name the customer."
        withAsterisk
        data-autofocus
        {...form.getInputProps('externalId')}
      />
      <SearchSelect
        label="Plan"
        withAsterisk
        allowDeselect={false}
        choices={planChoices(query)}
        nothingFoundMessage="There is no such plan on sale."
        {...form.getInputProps('planId')}
      />
      <NumberField label="Seats" {...form.getInputProps('seats')} />
      <Select
        label="Who collects"
        description="Local billing has no page to pay on: record the payment of its transaction."
        allowDeselect={false}
        data={PROVIDERS.map((value) => ({ value, label: providerName(value) }))}
        {...form.getInputProps('provider')}
      />
      <NumberField label="Days to pay" {...form.getInputProps('days')} />
    </FormDialog>
  );
}
