import { Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { currencyProblem, parseMoney, toDecimal } from '../../ui/money';
import { planGroupChoices } from '../../ui/catalogue-choices';
import { SearchSelect } from '../../ui/SearchSelect';
import { NumberField } from '../../ui/NumberField';
import { numberRule, type TypedNumber } from '../../ui/typed-number';
import { required } from '../../ui/required';
import { slugProblem } from '../../ui/text-problems';

/** Creates a plan. Its entitlements are added on its page. */
export function CreatePlan({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const settings = useQuery({
    queryKey: ['settings', query],
    queryFn: () => bodyOf(api.GET('/api/billing/settings', { params: { query } })),
  });
  const form = useForm({
    initialValues: {
      planGroupId: '',
      name: '',
      slug: '',
      price: { amount: '', currency: '' },
      interval: 'month' as 'month' | 'year',
      pricing: 'flat' as 'flat' | 'per_seat',
      trialDays: 0 as TypedNumber,
    },
    validate: {
      planGroupId: (value) => (value === '' ? 'Choose the group.' : null),
      name: required,
      slug: slugProblem,
      price: {
        amount: (value, { price }) => {
          const known = currencyOf(price.currency);
          return known === null || currencyProblem(known) !== null ? null : parseMoney(value, known).problem;
        },
        currency: (value) => {
          const known = currencyOf(value);
          return known === null
            ? 'Enter the currency: the workspace’s own could not be read yet.'
            : currencyProblem(known);
        },
      },
      trialDays: numberRule({ max: 730, whole: true }),
    },
  });
  const defaultCurrency = settings.data?.defaultCurrency;
  /**
   * Returns the price's currency. It is never guessed, because 1500 yen are not 1500 dollars. Null if none was typed
   * and the workspace's is unknown.
   */
  const currencyOf = (typed: string) => (typed.trim() || defaultCurrency)?.toUpperCase() ?? null;
  const currency = currencyOf(form.values.price.currency);
  const example =
    currency === null || currencyProblem(currency) !== null ? '' : toDecimal({ amount: '2900', currency });
  return (
    <FormDialog
      title="New plan"
      submit="Create plan"
      form={form}
      send={({ price: typed, slug, trialDays, ...plan }) => {
        const known = currency ?? '';
        const price = parseMoney(typed.amount, known).money ?? { amount: '', currency: known };
        return bodyOf(
          api.POST('/api/plans', {
            params: { query },
            body: {
              ...plan,
              slug: slug.trim(),
              trialDays: Number(trialDays),
              price,
              entityLimit: null,
              metadata: {},
            },
          }),
        );
      }}
      refresh={[['plans']]}
      onClose={onClose}
    >
      <SearchSelect
        label="Plan group"
        withAsterisk
        allowDeselect={false}
        choices={planGroupChoices(query, { archived: 'false' })}
        nothingFoundMessage="There is no such group: create it first."
        data-autofocus
        {...form.getInputProps('planGroupId')}
      />
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
      <TextInput
        label="Slug"
        description="Lower case, for programs."
        withAsterisk
        {...form.getInputProps('slug')}
      />
      <Group grow align="flex-start">
        <TextInput
          label="Price"
          placeholder={example}
          inputMode="decimal"
          withAsterisk
          {...form.getInputProps('price.amount')}
        />
        <TextInput
          label="Currency"
          placeholder={defaultCurrency ?? ''}
          maxLength={3}
          {...form.getInputProps('price.currency')}
        />
      </Group>
      <Group grow align="flex-start">
        <Select
          label="Each"
          allowDeselect={false}
          data={[
            { value: 'month', label: 'Month' },
            { value: 'year', label: 'Year' },
          ]}
          {...form.getInputProps('interval')}
        />
        <Select
          label="For"
          allowDeselect={false}
          data={[
            { value: 'flat', label: 'The subscription' },
            { value: 'per_seat', label: 'Each seat' },
          ]}
          {...form.getInputProps('pricing')}
        />
      </Group>
      <NumberField label="Trial, days" {...form.getInputProps('trialDays')} />
    </FormDialog>
  );
}
