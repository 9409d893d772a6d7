import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { CodeInput } from '../../ui/CodeInput';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { RecoveryCodes } from './RecoveryCodes';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

/** Creates new recovery codes, given a code. */
export function RenewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { code: '' } });
  const renew = useMutation({
    mutationFn: (code: string) =>
      bodyOf(api.POST('/api/auth/second-factor/recovery-codes', { body: { code } })),
    // Not awaited: the codes are shown at once, however long the reading takes.
    onSuccess: () => void invalidate(queries, [['second-factor']]),
    onError: (error) => {
      form.reset();
      form.setErrors(fieldErrors(error));
    },
    gcTime: 0,
  });
  const codes = renew.data?.recoveryCodes;
  const [isStored, setStored] = useState(false);
  const isNeeded = codes !== undefined && !isStored;
  return (
    <Dialog
      isBusy={renew.isPending}
      isTyped={codes === undefined ? form.isDirty() : !isStored}
      opened
      onClose={isNeeded ? () => undefined : onClose}
      withCloseButton={codes === undefined}
      title="New recovery codes"
    >
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} isStored={isStored} onStored={setStored} onClose={onClose} />
      ) : (
        <Form
          form={form}
          onSubmit={({ code }) => renew.mutate(code.trim())}
          refused={renew.error}
          isCheckedByBrowser
        >
          <Stack>
            <Text size="sm">Your current codes will no longer work.</Text>
            <CodeInput data-autofocus {...form.getInputProps('code')} />
            <DialogActions action={renew} submit="Make new codes" onCancel={onClose} />
          </Stack>
        </Form>
      )}
    </Dialog>
  );
}
