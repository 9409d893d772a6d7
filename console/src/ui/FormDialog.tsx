import { Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { invalidate } from '../api/invalidate';
import { refreshIfOutdated } from '../api/problem';
import { fieldErrors } from './field-errors';
import { Form } from './Form';
import { Dialog } from './Dialog';
import { DialogActions } from './DialogActions';

interface FormDialogProps<Values, Made> {
  title: string;
  /** Label of the submit button. */
  submit: string;
  form: UseFormReturnType<Values>;
  send: (values: Values) => Promise<Made>;
  /** Lists affected by the change. */
  refresh: QueryKey[];
  onClose: () => void;
  /** Called with the answer, also if the page was left meanwhile. */
  onAnswer?: (made: Made) => void;
  onDone?: (made: Made) => void;
  /** The form's fields. */
  children: ReactNode;
}

/** A form in a dialog. Errors that the API reports for a field are shown at the field. */
export function FormDialog<Values, Made>(props: FormDialogProps<Values, Made>) {
  const { title, submit, form, send, refresh, onClose, onAnswer, onDone, children } = props;
  const queries = useQueryClient();
  const [isDone, setDone] = useState(false);
  const affected = [...refresh, ['setup']];
  const save = useMutation({
    mutationFn: send,
    onSuccess: (made) => {
      onAnswer?.(made);
      setDone(true);
      return invalidate(queries, affected);
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      refreshIfOutdated(queries, error, affected);
    },
  });
  // Called only while the dialog is shown: it must not navigate away from where the user has gone in the meantime.
  const onSuccess = (made: Made) => {
    // Closed before any navigation, so that nothing counts as unsaved.
    flushSync(onClose);
    onDone?.(made);
  };
  return (
    <Dialog
      isBusy={save.isPending}
      isDone={isDone}
      isTyped={form.isDirty()}
      opened
      onClose={onClose}
      title={title}
    >
      <Form form={form} onSubmit={(values) => save.mutate(values, { onSuccess })} refused={save.error}>
        <Stack>
          {children}
          <DialogActions action={save} submit={submit} onCancel={onClose} />
        </Stack>
      </Form>
    </Dialog>
  );
}
