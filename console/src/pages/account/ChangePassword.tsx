import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { useSession } from '../../api/session';
import { useTypedForm } from '../../app/open-forms';
import { fieldErrors } from '../../ui/field-errors';
import { Panel } from '../../ui/Panel';
import { Form } from '../../ui/Form';
import { PasswordField } from '../../ui/PasswordField';
import { PasswordOwner } from '../../ui/PasswordOwner';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { newPasswordProblem, PASSWORD_RULE } from '../../ui/text-problems';

/** Changes the password, which ends the operator's other sessions. */
export function ChangePassword() {
  const queries = useQueryClient();
  const { operator } = useSession();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { newPassword: newPasswordProblem },
  });
  useTypedForm(form.isDirty());
  const change = useMutation({
    mutationFn: (body: typeof form.values) => api.POST('/api/auth/password', { body }),
    onSuccess: async () => {
      form.reset();
      notifications.show({ message: 'The password is changed. Your other sessions have ended.' });
      await invalidate(queries, [['sessions']]);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <Panel title="Password">
      <Form
        form={form}
        onSubmit={(values) => change.mutate(values)}
        refused={change.error}
        isCheckedByBrowser
      >
        <Stack maw={420}>
          <PasswordOwner email={operator.email} />
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            required
            {...form.getInputProps('currentPassword')}
          />
          <PasswordField
            label="New password"
            description={PASSWORD_RULE}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          {change.isError && <ProblemPanel error={change.error} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}
