import { Button, Stack, Text, type ButtonProps } from '@mantine/core';
import { useId, type MouseEvent, type ReactNode } from 'react';

interface ReasonedButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why it cannot be pressed; null where it can. */
  reason: string | null;
  /** What else there is to say below it. */
  hint?: ReactNode;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  type?: 'button' | 'submit';
  children: ReactNode;
}

/**
 * A button that says why it cannot be pressed. It stays focusable then, because what is `disabled` can neither be
 * reached by keyboard nor described.
 */
export function ReasonedButton({
  reason,
  hint,
  onClick,
  type = 'button',
  children,
  ...button
}: ReasonedButtonProps) {
  const described = useId();
  const isOff = reason !== null;
  const words = reason ?? hint;
  return (
    <Stack gap={4} align="flex-start">
      <Button
        {...button}
        type={type}
        aria-disabled={isOff}
        data-disabled={isOff || undefined}
        {...(words !== undefined && { 'aria-describedby': described })}
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
