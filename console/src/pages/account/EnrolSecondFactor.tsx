import { Code, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { useSession } from '../../api/session';
import { CodeInput } from '../../ui/CodeInput';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { QrCode } from '../../ui/QrCode';
import { Dialog } from '../../ui/Dialog';
import { PasswordField } from '../../ui/PasswordField';
import { PasswordOwner } from '../../ui/PasswordOwner';
import { RecoveryCodes } from './RecoveryCodes';
import { AFTER_CHANGE } from './after-change';
import { DialogActions } from '../../ui/DialogActions';

/** Enrolment dialog: password, then the app and its first code, then the recovery codes. */
export function EnrolSecondFactor({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { operator } = useSession();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const begin = useMutation({
    mutationFn: (password: string) => bodyOf(api.POST('/api/auth/second-factor', { body: { password } })),
    onError: (error) => form.setErrors(fieldErrors(error)),
    // The answers contain secrets, which must not be kept once the dialog closes.
    gcTime: 0,
  });
  const enrol = useMutation({
    mutationFn: (code: string) => bodyOf(api.POST('/api/auth/second-factor/enrol', { body: { code } })),
    onError: (error) => {
      form.setFieldValue('code', '');
      form.setErrors(fieldErrors(error));
    },
    gcTime: 0,
  });
  const done = async () => {
    onClose();
    await invalidate(queries, AFTER_CHANGE);
  };
  const codes = enrol.data?.recoveryCodes;
  const [isStored, setStored] = useState(false);
  const close = () => {
    if (codes === undefined) onClose();
    else if (isStored) void done();
  };
  return (
    <Dialog
      isBusy={begin.isPending || enrol.isPending}
      isTyped={codes === undefined ? form.isDirty() : !isStored}
      opened
      onClose={close}
      withCloseButton={codes === undefined}
      title="Set up a second factor"
    >
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} isStored={isStored} onStored={setStored} onClose={close} />
      ) : begin.data === undefined ? (
        <Form
          form={form}
          onSubmit={({ password }) => begin.mutate(password)}
          refused={begin.error}
          isCheckedByBrowser
        >
          <Stack>
            <PasswordOwner email={operator.email} />
            <PasswordField
              label="Your password"
              autoComplete="current-password"
              required
              data-autofocus
              {...form.getInputProps('password')}
            />
            <DialogActions action={begin} submit="Continue" onCancel={onClose} />
          </Stack>
        </Form>
      ) : (
        <Form
          form={form}
          onSubmit={({ code }) => enrol.mutate(code.trim())}
          refused={enrol.error}
          isCheckedByBrowser
        >
          <Stack>
            <Text size="sm">Scan this with an authenticator app, or enter the key by hand.</Text>
            <Group justify="center">
              <QrCode text={begin.data.uri} label="QR code for an authenticator app" />
            </Group>
            <Code block data-secret aria-label="Key">
              {(begin.data.secret.match(/.{1,4}/g) ?? []).join(' ')}
            </Code>
            <CodeInput isFirst autoFocus {...form.getInputProps('code')} />
            <Text size="sm" c="dimmed">
              It takes effect once you enter a correct code. Your other sessions then end.
            </Text>
            <DialogActions action={enrol} submit="Turn it on" onCancel={onClose} />
          </Stack>
        </Form>
      )}
    </Dialog>
  );
}
