import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Dialog } from './Dialog';
import { DAY_HOURS, OverlapHours, overlapProblem } from './OverlapHours';
import { ProblemPanel } from './ProblemPanel';
import type { TypedNumber } from './typed-number';

interface RollDialogProps {
  title: string;
  /** What the hours are for. */
  label: string;
  /** The most hours that are taken. */
  most: number;
  /** What pressing the button does. */
  submit: string;
  roll: (overlapHours: number) => Promise<{ secret: string }>;
  /** The list that shows another thing afterwards. */
  refresh: QueryKey;
  /** Shows the new secret, once. */
  show: (secret: string) => ReactNode;
  onClose: () => void;
  /** What follows, in a sentence or two. */
  children: ReactNode;
}

/** Puts a new secret in the place of one that goes on for some hours, and shows it. */
export function RollDialog(props: RollDialogProps) {
  const { title, label, most, submit, roll, refresh, show, onClose, children } = props;
  const queries = useQueryClient();
  const [overlapHours, setOverlapHours] = useState<TypedNumber>(DAY_HOURS);
  const act = useMutation({
    mutationFn: () => roll(Number(overlapHours)),
    onSuccess: () => queries.invalidateQueries({ queryKey: refresh }),
    // The answer holds the secret: nothing of it stays when the dialog closes.
    gcTime: 0,
  });
  if (act.data !== undefined) return show(act.data.secret);
  return (
    <Dialog isBusy={act.isPending} opened onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        <OverlapHours label={label} most={most} value={overlapHours} onChange={setOverlapHours} />
        {act.isError && <ProblemPanel error={act.error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={act.isPending} onClick={onClose}>
            Leave it
          </Button>
          <Button
            loading={act.isPending}
            disabled={overlapProblem(overlapHours, most) !== null}
            onClick={() => act.mutate()}
          >
            {submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
