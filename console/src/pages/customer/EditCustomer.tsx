import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { changedMembers } from '../../ui/changed';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { EMAIL_USE, emailProblem } from '../../ui/text-problems';

/** Edits the name and the e-mail address of a customer. Its external id cannot change, because usage calls refer to it. */
export function EditCustomer({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm({
    initialValues: { name: customer.name ?? '', email: customer.email ?? '' },
    validate: { email: (value) => (value.trim() === '' ? null : emailProblem(value)) },
  });
  return (
    <FormDialog
      title={`Edit the customer ${isolate(customer.externalId)}`}
      submit="Save customer"
      form={form}
      send={(values) => {
        const changed = Object.entries(changedMembers(form.getInitialValues(), values));
        const body = Object.fromEntries(changed.map(([name, text]) => [name, text.trim() || null]));
        return bodyOf(
          api.PATCH('/api/customers/{id}', { params: { query, path: { id: customer.id } }, body }),
        );
      }}
      refresh={[['customer'], ['customers']]}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Email" type="email" description={EMAIL_USE} {...form.getInputProps('email')} />
    </FormDialog>
  );
}
