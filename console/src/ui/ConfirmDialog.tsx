import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { invalidate, type Outdated } from '../api/invalidate';
import { isPageOutdated } from '../api/problem';
import { isolate } from './isolate';
import { Dialog } from './Dialog';
import { DialogActions } from './DialogActions';

interface ConfirmDialogProps {
  title: string;
  /** Label of the confirming button. */
  submit: string;
  /** Label of the cancelling button. */
  cancel?: string;
  /** Whether it deletes or ends something. */
  isDestructive?: boolean;
  /** Text to be typed first, if the action cannot be undone. */
  typed?: string;
  send: () => Promise<unknown>;
  /** Lists affected by the action, or a predicate for the queries to refresh. */
  refresh: Outdated;
  onClose: () => void;
  /** Called once it is done, instead of `onClose`. */
  onDone?: () => void;
  /** Explains a refusal, in addition to the problem. */
  explain?: (error: unknown) => ReactNode;
  /** The effect, in a sentence or two. */
  children: ReactNode;
}

/** Asks for confirmation of an action, and explains its effect. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    submit,
    cancel = 'Leave it',
    isDestructive = false,
    typed,
    send,
    refresh,
    onClose,
    onDone = onClose,
    explain,
    children,
  } = props;
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [isDone, setDone] = useState(false);
  const isConfirmed = typed === undefined || asShown(text) === asShown(typed);
  const act = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      setDone(true);
      await invalidate(queries, refresh);
      onDone();
    },
    onError: (error) => {
      if (isPageOutdated(error)) void invalidate(queries, refresh);
    },
  });
  return (
    <Dialog
      isBusy={act.isPending}
      isDone={isDone}
      isTyped={text !== ''}
      opened
      onClose={onClose}
      title={title}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) act.mutate();
        }}
      >
        <Stack>
          <Text component="div" size="sm">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type ${isolate(typed)} to confirm`}
              labelProps={{ style: { overflowWrap: 'anywhere' } }}
              value={text}
              data-autofocus
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <DialogActions
            action={act}
            submit={submit}
            disabled={!isConfirmed}
            isDestructive={isDestructive}
            cancel={cancel}
            onCancel={onClose}
          >
            {act.isError && explain?.(act.error)}
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Returns text as a page shows it, because nobody can read from a page how many spaces a name has. */
function asShown(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
