import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { DESTRUCTIVE } from '../app/theme';
import { ProblemPanel } from './ProblemPanel';

interface DialogActionsProps {
  /** The mutation that the dialog performs. */
  action: { isPending: boolean; isError: boolean; error: unknown };
  /** Label of the button that performs it. */
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

/** The end of a dialog: the problem with which its action was refused, and the buttons. */
export function DialogActions(props: DialogActionsProps) {
  const { action, submit, onSubmit, disabled = false, isDestructive = false } = props;
  const { cancel = 'Cancel', onCancel, children } = props;
  return (
    <>
      {action.isError && <ProblemPanel error={action.error} />}
      {children}
      <Group justify="flex-end">
        <Button variant="default" disabled={action.isPending} onClick={onCancel}>
          {cancel}
        </Button>
        <Button
          {...(isDestructive && { color: DESTRUCTIVE })}
          type={onSubmit === undefined ? 'submit' : 'button'}
          disabled={disabled}
          loading={action.isPending}
          onClick={onSubmit}
        >
          {submit}
        </Button>
      </Group>
    </>
  );
}
