import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { invalidate } from '../api/invalidate';
import { Dialog } from './Dialog';
import { DAY_HOURS, OverlapHours, overlapProblem } from './OverlapHours';
import { refreshIfOutdated } from '../api/problem';
import type { TypedNumber } from './typed-number';
import { DialogActions } from './DialogActions';

interface RollDialogProps {
  title: string;
  /** Label of the hours. */
  label: string;
  /** Maximum number of hours. */
  most: number;
  /** Label of the submit button. */
  submit: string;
  roll: (overlapHours: number) => Promise<{ secret: string }>;
  /** Lists affected by the change. */
  refresh: QueryKey[];
  /** Shows the new secret, once. */
  show: (secret: string) => ReactNode;
  onClose: () => void;
  /** The effect, in a sentence or two. */
  children: ReactNode;
}

/** Replaces a secret, which stays valid for some hours, and shows the new one. */
export function RollDialog(props: RollDialogProps) {
  const { title, label, most, submit, roll, refresh, show, onClose, children } = props;
  const queries = useQueryClient();
  const [overlapHours, setOverlapHours] = useState<TypedNumber>(DAY_HOURS);
  const act = useMutation({
    mutationFn: () => roll(Number(overlapHours)),
    // Not awaited: the secret is shown at once, however long the list takes.
    onSuccess: () => void invalidate(queries, refresh),
    onError: (error) => {
      refreshIfOutdated(queries, error, refresh);
    },
    // The answer contains the secret, which must not be kept once the dialog closes.
    gcTime: 0,
  });
  const isValid = overlapProblem(overlapHours, most) === null;
  if (act.data !== undefined) return show(act.data.secret);
  return (
    <Dialog
      isBusy={act.isPending}
      isTyped={overlapHours !== DAY_HOURS}
      opened
      onClose={onClose}
      title={title}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) act.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{children}</Text>
          <OverlapHours label={label} most={most} value={overlapHours} onChange={setOverlapHours} />
          <DialogActions
            action={act}
            submit={submit}
            disabled={!isValid}
            cancel="Leave it"
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
