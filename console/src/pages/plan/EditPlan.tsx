import { NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { parseMoney, toDecimal } from '../../ui/money';
import { required } from '../catalogue/required';
import { metadataWith, nameAt } from './provider-names';
import { SubscribersNote } from './SubscribersNote';

/** A plan's name, price, trial, limit of entities and names at the providers. The rest is fixed once it has subscriptions. */
export function EditPlan({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { query } = useWorkspace();
  const { currency } = plan.price;
  const form = useForm({
    initialValues: {
      name: plan.name,
      price: { amount: toDecimal(plan.price) },
      trialDays: plan.trialDays as number | string,
      entityLimit: (plan.entityLimit ?? '') as number | string,
      metadata: {
        providerAPriceId: nameAt(plan, 'providerAPriceId'),
        providerBPlanId: nameAt(plan, 'providerBPlanId'),
        providerCPlanCode: nameAt(plan, 'providerCPlanCode'),
      },
    },
    validate: {
      name: required,
      price: { amount: (value) => parseMoney(value, currency).problem },
    },
  });
  return (
    <FormDialog
      title={`Edit the plan ${isolate(plan.name)}`}
      submit="Save plan"
      form={form}
      send={({ name, price, trialDays, entityLimit, metadata }) => {
        const { money = plan.price } = parseMoney(price.amount, currency);
        return bodyOf(
          api.PATCH('/api/plans/{id}', {
            params: { query, path: { id: plan.id } },
            body: {
              name,
              trialDays: Number(trialDays),
              entityLimit: entityLimit === '' ? null : Number(entityLimit),
              metadata: metadataWith(plan, metadata),
              // Sent only where it is another: sending it asks the providers for theirs.
              ...(money.amount !== plan.price.amount && { price: money }),
            },
          }),
        );
      }}
      refresh={[['plans'], ['plan']]}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={`Price, ${currency}`}
        inputMode="decimal"
        withAsterisk
        {...form.getInputProps('price.amount')}
      />
      <NumberInput
        label="Trial, days"
        min={0}
        max={730}
        allowDecimal={false}
        {...form.getInputProps('trialDays')}
      />
      <NumberInput
        label="Entities a customer may have"
        description="Users, projects or the like. Left empty, any number."
        min={1}
        max={100_000}
        allowDecimal={false}
        {...form.getInputProps('entityLimit')}
      />
      <TextInput label="Price at provider A" {...form.getInputProps('metadata.providerAPriceId')} />
      <TextInput label="Plan at provider B" {...form.getInputProps('metadata.providerBPlanId')} />
      <TextInput label="Plan at provider C" {...form.getInputProps('metadata.providerCPlanCode')} />
      <SubscribersNote planId={plan.id}>
        A new price applies to new subscriptions at once, and to these from their next renewal.
      </SubscribersNote>
    </FormDialog>
  );
}
