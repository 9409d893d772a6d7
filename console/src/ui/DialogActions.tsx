import { Button, Group, Stack } from '@mantine/core';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { DESTRUCTIVE } from '../app/theme';
import { ProblemPanel } from './ProblemPanel';

interface DialogActionsProps {
  /** The mutation that the dialog performs. */
  action: { isPending: boolean; isError: boolean; error: unknown };
  /** Label of the button that performs it; undefined while there is none. */
  submit: ReactNode;
  /** Performs it. In a form, leave it out: the button submits the form. */
  onSubmit?: () => void;
  /** Whether it cannot be performed yet. */
  disabled?: boolean;
  /** Whether it deletes or ends something. */
  isDestructive?: boolean;
  /** Label of the cancelling button. */
  cancel?: string;
  onCancel: () => void;
  /** Shown below the problem. */
  children?: ReactNode;
}

/**
 * The end of a dialog: the problem with which its action was refused, and the buttons. Both are scrolled into view: in
 * a long dialog, a refusal would be out of view, and push the buttons out of it.
 */
export function DialogActions(props: DialogActionsProps) {
  const { action, submit, onSubmit, disabled = false, isDestructive = false } = props;
  const { cancel = 'Cancel', onCancel, children } = props;
  const end = useRef<HTMLDivElement>(null);
  // In the layout effect, so that the first invalid field, which gets the focus later, comes into view in its place.
  useLayoutEffect(() => {
    if (action.error !== null) end.current?.scrollIntoView({ block: 'nearest' });
  }, [action.error]);
  return (
    <Stack ref={end}>
      {action.isError && <ProblemPanel error={action.error} />}
      {children}
      <Group justify="flex-end">
        <Button variant="default" disabled={action.isPending} onClick={onCancel}>
          {cancel}
        </Button>
        {submit !== undefined && (
          <Button
            {...(isDestructive && { color: DESTRUCTIVE })}
            type={onSubmit === undefined ? 'submit' : 'button'}
            disabled={disabled}
            loading={action.isPending}
            onClick={onSubmit}
          >
            {submit}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
