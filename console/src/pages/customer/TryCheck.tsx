import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Customer, CustomerEntitlement } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { isolate } from '../../ui/isolate';
import { NumberField } from '../../ui/NumberField';
import { Form } from '../../ui/Form';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { MAX_UNITS, numberProblem, type TypedNumber } from '../../ui/typed-number';
import { CheckAnswer } from '../decisions/CheckAnswer';
import { useCheck } from '../decisions/use-check';

interface TryCheckProps {
  customer: Customer;
  features: CustomerEntitlement[];
}

/** Each option costs time when the field is opened. */
const MOST_OPTIONS = 100;

/** Runs the check that an integrator would run, and shows the decision and its reason. */
export function TryCheck({ customer, features }: TryCheckProps) {
  const refusal = useRefusal('developer');
  const check = useCheck();
  const form = useForm({
    // The answer does not name its question, so it would be taken for that to another one.
    onValuesChange: () => check.reset(),
    initialValues: { feature: features[0]?.feature ?? '', quantity: 1 as TypedNumber, entity: '' },
    validate: {
      quantity: (value) =>
        value === 0 ? 'Enter more than nothing.' : numberProblem(value, { max: MAX_UNITS }),
    },
  });
  return (
    <Form
      form={form}
      onSubmit={({ entity, feature, quantity }) =>
        check.mutate({
          customerId: customer.id,
          feature,
          quantity: Number(quantity),
          ...(entity !== '' && { entity }),
        })
      }
      refused={check.error}
    >
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <Select
            label="Try a check"
            allowDeselect={false}
            searchable
            // Further features are found by their names.
            limit={MOST_OPTIONS}
            nothingFoundMessage="There is no such feature."
            data={features.map(({ feature, name }) => ({ value: feature, label: isolate(name) }))}
            {...form.getInputProps('feature')}
          />
          <NumberField label="Quantity" w={120} {...form.getInputProps('quantity')} />
          <TextInput
            label="Entity"
            placeholder="none"
            maxLength={255}
            w={140}
            {...form.getInputProps('entity')}
          />
          {/* As far down as the fields are below their labels; a finding below a field does not move it. */}
          <ReasonedButton type="submit" variant="default" mt={25} reason={refusal} loading={check.isPending}>
            Check
          </ReasonedButton>
        </Group>
        <Text size="xs" c="dimmed">
          It is the real check: it is recorded with the source “console”, and reserves nothing.
        </Text>
        {check.isError && <ProblemPanel error={check.error} />}
        {check.data !== undefined && <CheckAnswer answer={check.data} />}
      </Stack>
    </Form>
  );
}
