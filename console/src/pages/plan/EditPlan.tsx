import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { changedMembers } from '../../ui/changed';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { parseMoney, toDecimal } from '../../ui/money';
import { NumberField } from '../../ui/NumberField';
import { numberRule, type TypedNumber } from '../../ui/typed-number';
import { required } from '../../ui/required';
import { metadataWith, nameAt } from './provider-names';
import { SubscribersNote } from './SubscribersNote';

/**
 * Edits a plan's name, price, trial, entity limit and provider references. The rest is fixed once it has or had
 * subscriptions.
 */
export function EditPlan({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { query } = useWorkspace();
  const { currency } = plan.price;
  const form = useForm({
    initialValues: {
      name: plan.name,
      price: { amount: toDecimal(plan.price) },
      trialDays: plan.trialDays as TypedNumber,
      entityLimit: (plan.entityLimit ?? '') as TypedNumber,
      metadata: {
        providerAPriceId: nameAt(plan, 'providerAPriceId'),
        providerBPlanId: nameAt(plan, 'providerBPlanId'),
        providerCPlanCode: nameAt(plan, 'providerCPlanCode'),
      },
    },
    validate: {
      name: required,
      price: { amount: (value) => parseMoney(value, currency).problem },
      trialDays: numberRule({ max: 730, whole: true }),
      entityLimit: numberRule({ min: 1, max: 100_000, whole: true, optional: true }),
    },
  });
  return (
    <FormDialog
      title={`Edit the plan ${isolate(plan.name)}`}
      submit="Save plan"
      form={form}
      send={async (values) => {
        const params = { query, path: { id: plan.id } };
        const before = form.getInitialValues();
        const names = changedMembers(before.metadata, values.metadata);
        const body = {
          ...changedMembers(toBody(before, currency), toBody(values, currency)),
          // The API replaces metadata as a whole, so the current metadata is sent together with the input.
          ...(Object.keys(names).length > 0 && {
            metadata: metadataWith(await bodyOf(api.GET('/api/plans/{id}', { params })), names),
          }),
        };
        return bodyOf(api.PATCH('/api/plans/{id}', { params, body }));
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
      <NumberField label="Trial, days" {...form.getInputProps('trialDays')} />
      <NumberField
        label="Entities a customer may have"
        description="Users, projects and so on. Leave empty for no limit."
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

interface PlanValues {
  name: string;
  price: { amount: string };
  trialDays: TypedNumber;
  entityLimit: TypedNumber;
}

/** Converts the form for the API. The provider references are part of the metadata. */
function toBody({ name, price, trialDays, entityLimit }: PlanValues, currency: string) {
  const { money = { amount: price.amount, currency } } = parseMoney(price.amount, currency);
  return {
    name,
    price: money,
    trialDays: Number(trialDays),
    entityLimit: entityLimit === '' ? null : Number(entityLimit),
  };
}
