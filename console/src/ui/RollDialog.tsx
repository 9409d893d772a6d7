import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Dialog } from './Dialog';
import { DAY_HOURS, OverlapHours, overlapProblem } from './OverlapHours';
import { ProblemPanel } from './ProblemPanel';
import { refreshIfOutdated } from '../api/problem';
import type { TypedNumber } from './typed-number';

interface RollDialogProps {
  title: string;
  /** Label of the hours. */
  label: string;
  /** Maximum number of hours. */
  most: number;
  /** Label of the submit button. */
  submit: string;
  roll: (overlapHours: number) => Promise<{ secret: string }>;
  /** The list affected by the change. */
  refresh: QueryKey;
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
    onSuccess: () => void queries.invalidateQueries({ queryKey: refresh }),
    onError: (error) => {
      refreshIfOutdated(queries, error, [refresh]);
    },
    // The answer contains the secret, which must not be kept once the dialog closes.
    gcTime: 0,
  });
  const isValid = overlapProblem(overlapHours, most) === null;
  if (act.data !== undefined) return show(act.data.secret);
  return (
    <Dialog isBusy={act.isPending} opened onClose={onClose} title={title}>
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
          {act.isError && <ProblemPanel error={act.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={act.isPending} onClick={onClose}>
              Leave it
            </Button>
            <Button type="submit" loading={act.isPending} disabled={!isValid}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
