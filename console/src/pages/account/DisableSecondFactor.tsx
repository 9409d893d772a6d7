import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { api } from '../../api/client';
import { useSession } from '../../api/session';
import { CodeInput } from '../../ui/CodeInput';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { PasswordField } from '../../ui/PasswordField';
import { PasswordOwner } from '../../ui/PasswordOwner';
import { AFTER_CHANGE } from './after-change';

/** Disables the second factor, given the password and a code. */
export function DisableSecondFactor({ onClose }: { onClose: () => void }) {
  const { operator, organizations } = useSession();
  const requiring = organizations.filter(({ requireSecondFactor }) => requireSecondFactor);
  const form = useForm({ initialValues: { password: '', code: '' } });
  return (
    <FormDialog
      title="Turn the second factor off"
      submit="Turn it off"
      form={form}
      send={({ password, code }) =>
        api.POST('/api/auth/second-factor/disable', { body: { password, code: code.trim() } })
      }
      refresh={AFTER_CHANGE}
      onClose={onClose}
      onDone={() => notifications.show({ message: 'The second factor is off.' })}
    >
      <Text size="sm">
        Signing in then needs only the password.
        {requiring.length > 0 &&
          ` ${requiring.map(({ name }) => isolate(name)).join(', ')} requires one: there you can do nothing until you set up another.`}
      </Text>
      <PasswordOwner email={operator.email} />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('password')}
      />
      <CodeInput {...form.getInputProps('code')} />
    </FormDialog>
  );
}
