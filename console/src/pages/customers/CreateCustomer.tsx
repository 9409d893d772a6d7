import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { EMAIL_USE, emailProblem } from '../../ui/text-problems';
import { COUNTRY_USE, countryProblem, withCountry } from './country';

/** Creates a customer, and opens it. */
export function CreateCustomer({ onClose }: { onClose: () => void }) {
  const { organization, env, query } = useWorkspace();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { externalId: '', name: '', email: '', country: '' },
    validate: {
      externalId: (value) => (value.trim() === '' ? 'Enter your own id of the customer.' : null),
      email: (value) => (value.trim() === '' ? null : emailProblem(value)),
      country: countryProblem,
    },
  });
  return (
    <FormDialog
      title="New customer"
      submit="Create customer"
      form={form}
      send={(typed) => {
        // Trimmed, because pasted spaces would create a different customer that no search finds.
        const [externalId, name, email] = [typed.externalId.trim(), typed.name.trim(), typed.email.trim()];
        const body = {
          externalId,
          ...(name !== '' && { name }),
          ...(email !== '' && { email }),
          ...(typed.country.trim() !== '' && { metadata: withCountry({}, typed.country) }),
        };
        return bodyOf(api.POST('/api/customers', { params: { query }, body }));
      }}
      refresh={[['customers']]}
      onClose={onClose}
      onDone={({ id }) => {
        const params = { organization: organization.slug, environment: env, id };
        void navigate({ to: '/o/$organization/$environment/customers/$id', params });
      }}
    >
      <TextInput
        label="External id"
        description="Your own id of the customer. It cannot be changed later."
        withAsterisk
        data-autofocus
        {...form.getInputProps('externalId')}
      />
      <TextInput label="Name" {...form.getInputProps('name')} />
      <TextInput label="Email" type="email" description={EMAIL_USE} {...form.getInputProps('email')} />
      <TextInput label="Country" description={COUNTRY_USE} {...form.getInputProps('country')} />
    </FormDialog>
  );
}
