import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DESTRUCTIVE } from '../app/theme';
import { isolate } from './isolate';
import { ProblemPanel } from './ProblemPanel';
import { Dialog } from './Dialog';

interface ConfirmDialogProps {
  title: string;
  /** What pressing the button does. */
  submit: string;
  /** What leaves it as it is. */
  cancel?: string;
  /** It takes something away. */
  isDestructive?: boolean;
  /** What must be typed before, where nothing brings it back. */
  typed?: string;
  send: () => Promise<unknown>;
  /** The lists that show another thing afterwards, or which of all that was read is read again. */
  refresh: QueryKey[] | ((queryKey: QueryKey) => boolean);
  onClose: () => void;
  /** What there is to say of a refusal besides the problem. */
  explain?: (error: unknown) => ReactNode;
  /** What follows, in a sentence or two. */
  children: ReactNode;
}

/** Asks before an act, and says what follows from it. */
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
    explain,
    children,
  } = props;
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const act = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await (typeof refresh === 'function'
        ? queries.invalidateQueries({ predicate: ({ queryKey }) => refresh(queryKey) })
        : Promise.all(refresh.map((queryKey) => queries.invalidateQueries({ queryKey }))));
      onClose();
    },
  });
  return (
    <Dialog isBusy={act.isPending} opened onClose={onClose} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={`Type ${isolate(typed)} to confirm`}
            value={text}
            data-autofocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {act.isError && <ProblemPanel error={act.error} />}
        {act.isError && explain?.(act.error)}
        <Group justify="flex-end">
          <Button variant="default" disabled={act.isPending} onClick={onClose}>
            {cancel}
          </Button>
          <Button
            {...(isDestructive && { color: DESTRUCTIVE })}
            disabled={typed !== undefined && text !== typed}
            loading={act.isPending}
            onClick={() => act.mutate()}
          >
            {submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
