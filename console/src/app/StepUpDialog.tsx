import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api, bodyOf } from '../api/client';
import { invalidate } from '../api/invalidate';
import { sessionQuery } from '../api/session';
import { onQuestion, openQuestion } from '../api/step-up';
import { CodeInput } from '../ui/CodeInput';
import { fieldErrors } from '../ui/field-errors';
import { Form } from '../ui/Form';
import { Dialog } from '../ui/Dialog';
import { DialogActions } from '../ui/DialogActions';
import { router } from './router';

/**
 * Asks for the second factor whenever a request requires it again, over any dialog the request came from. Leaving the
 * page declines: the request belongs to that page, and perhaps to an operator who has signed out.
 */
export function StepUpDialog() {
  const question = useSyncExternalStore(onQuestion, openQuestion);
  return question === null ? null : <CodeQuestion answer={question.answer} />;
}

function CodeQuestion({ answer }: { answer: (isConfirmed: boolean) => void }) {
  const queries = useQueryClient();
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ pathChanged }) => {
        if (pathChanged) answer(false);
      }),
    [answer],
  );
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? 'Enter a code.' : null) },
  });
  const confirm = useMutation({
    mutationFn: (body: { code: string }) => bodyOf(api.POST('/api/auth/second-factor/confirm', { body })),
    onSuccess: () => {
      void invalidate(queries, [sessionQuery.queryKey]);
      answer(true);
    },
    // A code is used up, right or wrong.
    onError: (error) => {
      form.reset();
      form.setErrors(fieldErrors(error));
    },
  });
  return (
    <Dialog
      isBusy={confirm.isPending}
      opened
      onClose={() => answer(false)}
      title="Confirm that it is you"
      zIndex={400}
      closeOnClickOutside={false}
    >
      <Form
        form={form}
        onSubmit={({ code }) => confirm.mutate({ code: code.trim() })}
        refused={confirm.error}
      >
        <Stack>
          <Text size="sm">This needs your second factor again. It then continues automatically.</Text>
          <CodeInput data-autofocus {...form.getInputProps('code')} />
          <DialogActions action={confirm} submit="Confirm" onCancel={() => answer(false)} />
        </Stack>
      </Form>
    </Dialog>
  );
}
