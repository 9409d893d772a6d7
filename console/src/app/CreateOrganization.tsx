import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client';
import { sessionQuery } from '../api/session';
import { FormDialog } from '../ui/FormDialog';
import { slugProblem } from '../ui/text-problems';

/** Creates an organization owned by the platform administrator, and opens it. */
export function CreateOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '', slug: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter the name.' : null),
      slug: (slug) => (slug.trim() === '' ? null : slugProblem(slug)),
    },
  });
  return (
    <FormDialog
      title="New organization"
      submit="Create organization"
      form={form}
      send={({ name, slug }) => {
        const body = { name, ...(slug.trim() !== '' && { slug: slug.trim() }) };
        return bodyOf(api.POST('/api/organizations', { body }));
      }}
      refresh={[sessionQuery.queryKey]}
      onClose={onClose}
      onDone={({ slug }) => {
        const params = { organization: slug, environment: 'sandbox' };
        void navigate({ to: '/o/$organization/$environment', params });
      }}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Slug"
        description="Used in URLs. Derived from the name if left empty."
        {...form.getInputProps('slug')}
      />
    </FormDialog>
  );
}
