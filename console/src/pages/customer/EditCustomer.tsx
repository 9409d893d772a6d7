import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { changedMembers } from '../../ui/changed';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { EMAIL_USE, emailProblem } from '../../ui/text-problems';
import { COUNTRY_USE, countryIn, countryProblem, withCountry } from '../customers/country';

/**
 * Edits the name, the e-mail address and the country of a customer. Its external id cannot change, because usage calls
 * refer to it.
 */
export function EditCustomer({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { query } = useWorkspace();
  const stored = countryIn(customer.metadata);
  const form = useForm({
    initialValues: { name: customer.name ?? '', email: customer.email ?? '', country: stored },
    validate: {
      email: (value) => (value.trim() === '' ? null : emailProblem(value)),
      // An integrator may have stored anything there.
      country: (value) => (value === stored ? null : countryProblem(value)),
    },
  });
  return (
    <FormDialog
      title={`Edit the customer ${isolate(customer.externalId)}`}
      submit="Save customer"
      form={form}
      send={async (values) => {
        const params = { query, path: { id: customer.id } };
        const { country, ...texts } = changedMembers(form.getInitialValues(), values);
        const body = {
          ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() || null])),
          // The API replaces metadata as a whole.
          ...(country !== undefined && {
            metadata: withCountry(
              (await bodyOf(api.GET('/api/customers/{id}', { params }))).metadata,
              country,
            ),
          }),
        };
        return bodyOf(api.PATCH('/api/customers/{id}', { params, body }));
      }}
      refresh={[['customer'], ['customers']]}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Email" type="email" description={EMAIL_USE} {...form.getInputProps('email')} />
      <TextInput label="Country" description={COUNTRY_USE} {...form.getInputProps('country')} />
    </FormDialog>
  );
}
