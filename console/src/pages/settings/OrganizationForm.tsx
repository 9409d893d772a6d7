import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { sessionQuery } from '../../api/session';
import { useTypedForm } from '../../app/open-forms';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { FormFields } from '../../ui/FormFields';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { showSaved } from '../../ui/show-saved';
import { useFresh } from '../../ui/use-fresh';

/** Renames the organization. */
export function OrganizationForm() {
  const { organization, organizationId: id } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const form = useForm({
    initialValues: { name: organization.name },
    validate: { name: (name) => (name.trim() === '' ? 'Enter the name.' : null) },
  });
  useFresh(form, { name: organization.name });
  useTypedForm(form.isDirty());
  const rename = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      bodyOf(api.PATCH('/api/organizations/{id}', { params: { path: { id } }, body: { name: name.trim() } })),
    onSuccess: async ({ name }, sent) => {
      notifications.show({ message: 'The organization is renamed.' });
      showSaved(form, sent, { name });
      await invalidate(queries, [sessionQuery.queryKey, ['audit']]);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <Panel title="Organization">
      <Form
        form={form}
        onSubmit={(values) => {
          if (refusal === null) rename.mutate(values);
        }}
        refused={rename.error}
      >
        <Stack>
          <FormFields refusal={refusal}>
            <TextInput label="Name" withAsterisk maw={360} {...form.getInputProps('name')} />
          </FormFields>
          <Text size="xs" c="dimmed">
            In both environments. The addresses of its pages keep {organization.slug}.
          </Text>
          {rename.isError && <ProblemPanel error={rename.error} />}
          <Group>
            <ReasonedButton type="submit" reason={refusal} loading={rename.isPending}>
              Rename
            </ReasonedButton>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}
