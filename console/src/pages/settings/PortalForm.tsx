import { Checkbox, ColorInput, Group, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { components } from '../../api/schema';
import { useTypedForm } from '../../app/open-forms';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { changesToSend } from '../../ui/merge-lists';
import { fieldErrors } from '../../ui/field-errors';
import { Panel } from '../../ui/Panel';
import { listError } from '../../ui/PercentsInput';
import { Form } from '../../ui/Form';
import { FormFields } from '../../ui/FormFields';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { showSaved } from '../../ui/show-saved';
import { useFresh } from '../../ui/use-fresh';
import { LogoInput } from './LogoInput';

type PortalSettings = components['schemas']['PortalSettings'];

const PARTS: readonly [PortalSettings['shows'][number], string][] = [
  ['usage', 'Usage and credits'],
  ['transactions', 'Charges'],
  ['payments', 'Payments'],
  ['planChange', 'Change of plan'],
  ['seatChange', 'Change of seats'],
  ['cancel', 'Cancel'],
  ['reactivate', 'Reactivate'],
  ['pay', 'Pay what is open'],
];

function valuesOf(portal: PortalSettings) {
  return { ...portal, name: portal.name ?? '' };
}

type Values = ReturnType<typeof valuesOf>;

/** Converts the form for the API: an empty name means the organization's. */
function toBody({ name, ...values }: Values) {
  return { ...values, name: name === '' ? null : name };
}

/** Appearance and offers of the customer's page. */
export function PortalForm({ portal }: { portal: PortalSettings }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const form = useForm({ initialValues: valuesOf(portal) });
  useFresh(form, valuesOf(portal));
  useTypedForm(form.isDirty());
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const params = { query };
      const body = await changesToSend(toBody(form.getInitialValues()), toBody(values), async () =>
        toBody(valuesOf(await bodyOf(api.GET('/api/billing/portal', { params })))),
      );
      return bodyOf(api.PATCH('/api/billing/portal', { params, body }));
    },
    onSuccess: async (saved, sent) => {
      notifications.show({ message: 'The customer’s page is saved.' });
      showSaved(form, sent, valuesOf(saved));
      await invalidate(queries, [['portal-settings'], ['audit']]);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <Panel title="Customer’s page">
      <Form
        form={form}
        onSubmit={(values) => {
          if (refusal === null) save.mutate(values);
        }}
        refused={save.error}
      >
        <Stack>
          <FormFields refusal={refusal}>
            <Checkbox.Group
              label="Shows and offers"
              description="Besides the plan and its price. Anything not selected is also refused."
              {...form.getInputProps('shows')}
            >
              <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} mt="xs">
                {PARTS.map(([value, label]) => (
                  <Checkbox key={value} value={value} label={label} />
                ))}
              </SimpleGrid>
            </Checkbox.Group>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <TextInput
                label="Name"
                description="Empty: the organization’s."
                {...form.getInputProps('name')}
              />
              <ColorInput
                label="Colour"
                description="Made darker or lighter where text needs it."
                format="hex"
                withEyeDropper={false}
                {...form.getInputProps('colour')}
              />
              <LogoInput {...form.getInputProps('logo')} />
            </SimpleGrid>
            <TagsInput
              label="Plans to change to"
              description="Slugs. None: every plan of the group that is for sale."
              {...form.getInputProps('plans')}
              value={form.values.plans ?? []}
              // No plans mean all.
              onChange={(slugs) => form.setFieldValue('plans', slugs.length === 0 ? null : slugs)}
              error={listError(form, 'plans')}
            />
          </FormFields>
          {save.isError && <ProblemPanel error={save.error} />}
          <Group>
            <ReasonedButton type="submit" reason={refusal} loading={save.isPending}>
              Save the page
            </ReasonedButton>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}
