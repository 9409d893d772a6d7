import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { PlanGroup } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { changedMembers } from '../../ui/changed';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { required } from '../../ui/required';
import { slugProblem } from '../../ui/text-problems';

/** Edits the name and the slug of a plan group. */
export function EditPlanGroup({ group, onClose }: { group: PlanGroup; onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm({
    initialValues: { name: group.name, slug: group.slug },
    validate: { name: required, slug: slugProblem },
  });
  return (
    <FormDialog
      title={`Edit the plan group ${isolate(group.name)}`}
      submit="Save plan group"
      form={form}
      send={(values) =>
        bodyOf(
          api.PATCH('/api/plan-groups/{id}', {
            params: { query, path: { id: group.id } },
            body: changedMembers(form.getInitialValues(), { ...values, slug: values.slug.trim() }),
          }),
        )
      }
      refresh={[['plan-groups']]}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Slug"
        description="Integrations may use it to find the group: check them before you change it."
        withAsterisk
        {...form.getInputProps('slug')}
      />
    </FormDialog>
  );
}
