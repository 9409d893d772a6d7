import { Button, Stack, Text, type ButtonProps } from '@mantine/core';
import { useId, type MouseEvent, type ReactNode } from 'react';

interface ReasonedButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why it is disabled; null if it is not. */
  reason: string | null;
  /** Id of a text that gives the reason for several buttons; if omitted, the reason is shown below this one. */
  saidBy?: string;
  /** Further text below it. */
  hint?: ReactNode;
  /** Where it is placed, with its text. */
  align?: 'flex-start' | 'center';
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  type?: 'button' | 'submit';
  children: ReactNode;
}

/**
 * A button that explains why it is disabled. It stays focusable, because a `disabled` button can neither be reached by
 * keyboard nor described.
 */
export function ReasonedButton({
  reason,
  saidBy,
  hint,
  align = 'flex-start',
  onClick,
  type = 'button',
  children,
  ...button
}: ReasonedButtonProps) {
  const described = useId();
  const isOff = reason !== null;
  const isSaid = isOff && saidBy !== undefined;
  const words = isSaid ? undefined : (reason ?? hint);
  return (
    <Stack gap={4} align={align}>
      <Button
        {...button}
        // A colour of its own would make it look available.
        c={isOff ? undefined : button.c}
        type={type}
        aria-disabled={isOff}
        data-disabled={isOff || undefined}
        {...((isSaid || words !== undefined) && { 'aria-describedby': isSaid ? saidBy : described })}
        onClick={(event: MouseEvent<HTMLButtonElement>) => {
          if (isOff) event.preventDefault();
          else onClick?.(event);
        }}
      >
        {children}
      </Button>
      {words !== undefined && (
        <Text id={described} size="xs" c="dimmed" maw={280}>
          {words}
        </Text>
      )}
    </Stack>
  );
}
