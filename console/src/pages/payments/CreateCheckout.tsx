import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { Checkout } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { NumberField } from '../../ui/NumberField';
import { OFFER_RULES, OfferFields, type OfferValues } from '../../ui/OfferFields';
import { sayRunning } from '../../ui/say-running';
import { numberRule, type TypedNumber } from '../../ui/typed-number';
import { PROVIDERS } from '../../../../src/domain/provider.ts';
import { providerName } from '../../ui/providers';

const DAY_MINUTES = 1_440;

/**
 * Offers a plan to a customer. The address where the customer pays comes from the party that collects, and is shown in
 * the list.
 */
export function CreateCheckout({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const form = useForm<OfferValues & { provider: Checkout['provider']; days: TypedNumber }>({
    initialValues: { externalId: '', planId: '', seats: 1, provider: 'internal', days: 1 },
    validate: {
      ...OFFER_RULES,
      days: numberRule({ min: 1, max: 30, whole: true }),
    },
  });
  return (
    <FormDialog
      title="New checkout"
      submit="Create checkout"
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
      <NumberField label="Days to pay" {...form.getInputProps('days')} />
    </FormDialog>
  );
}
