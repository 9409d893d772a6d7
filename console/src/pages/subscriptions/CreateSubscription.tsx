import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { sayRunning } from '../../ui/say-running';
import { planChoices } from '../../ui/catalogue-choices';
import { SearchSelect } from '../../ui/SearchSelect';
import { NumberField } from '../../ui/NumberField';
import { MAX_SEATS, numberRule, type TypedNumber } from '../../ui/typed-number';

/**
 * Creates a subscription with local billing. At a payment provider, a subscription starts with a checkout that the
 * customer pays.
 */
export function CreateSubscription({ onClose }: { onClose: () => void }) {
  const { organization, env, query } = useWorkspace();
  const navigate = useNavigate();
  const [intent] = useState(() => new Intent());
  const form = useForm({
    initialValues: { externalId: '', planId: '', seats: 1 as TypedNumber },
    validate: {
      externalId: (value) => (value.trim() === '' ? 'Enter the customer’s external id.' : null),
      planId: (value) => (value === '' ? 'Choose the plan.' : null),
      seats: numberRule({ min: 1, max: MAX_SEATS, whole: true }),
    },
  });
  return (
    <FormDialog
      title="New subscription, local billing"
      submit="Start subscription"
      form={form}
      send={({ externalId, planId, seats }) =>
        runCommand(
          query,
          intent,
          { externalId: externalId.trim(), planId, seats: Number(seats), metadata: {} },
          (key, body) =>
            api.POST('/api/billing/subscriptions', {
              params: { query, header: { 'Idempotency-Key': key } },
              body,
            }),
        )
      }
      refresh={[['subscriptions']]}
      onClose={onClose}
      onDone={(result) => {
        if (result.kind === 'running') {
          sayRunning(result);
          return;
        }
        const { id } = result.body as Subscription;
        const params = { organization: organization.slug, environment: env, id };
        void navigate({ to: '/o/$organization/$environment/subscriptions/$id', params });
      }}
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
    </FormDialog>
  );
}
