import { Button } from '@mantine/core';

interface RowButtonProps {
  children: string;
  /** What it is about, for those who do not see the row. */
  about: string;
  /** The id of the text beside the list that says why it cannot be pressed; undefined where it can. */
  refusedBy: string | undefined;
  onClick: () => void;
}

/** A button of a row. Its reason stands once, beside the list, because each row would repeat it. */
export function RowButton({ children, about, refusedBy, onClick }: RowButtonProps) {
  const isOff = refusedBy !== undefined;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${children} ${about}`}
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
