import { Button } from '@mantine/core';

interface RowButtonProps {
  children: string;
  /** The row's subject, for users who do not see the row. */
  about: string;
  /** Id of the text next to the list that says why it is disabled; undefined if it is not. */
  refusedBy?: string | undefined;
  /** Whether its request is unanswered. */
  isBusy?: boolean;
  onClick: () => void;
}

/** A button of a row. Its reason is shown once, next to the list, because each row would repeat it. */
export function RowButton({ children, about, refusedBy, isBusy = false, onClick }: RowButtonProps) {
  const isOff = refusedBy !== undefined;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${children} ${about}`}
      loading={isBusy}
      aria-disabled={isOff}
      data-disabled={isOff || undefined}
      {...(isOff && { 'aria-describedby': refusedBy })}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      {children}
    </Button>
  );
}
