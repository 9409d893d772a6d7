import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId } from 'react';

/**
 * Input of a password or another secret. The library links its description and its error to the input of every other
 * field, but not of this one, so that a screen reader would read neither.
 */
export function PasswordField({ description, error, ...input }: PasswordInputProps) {
  const id = useId();
  const [descriptionId, errorId] = [`${id}-description`, `${id}-error`];
  const hasDescription = description !== undefined && description !== null;
  const isWrong = error !== undefined && error !== null && error !== false;
  const describedBy = [...(hasDescription ? [descriptionId] : []), ...(isWrong ? [errorId] : [])].join(' ');
  return (
    <PasswordInput
      {...input}
      description={description}
      descriptionProps={{ id: descriptionId }}
      error={error}
      errorProps={{ id: errorId }}
      {...(isWrong && { 'aria-invalid': true })}
      {...(describedBy !== '' && { 'aria-describedby': describedBy })}
    />
  );
}
