import { TextInput, type TextInputProps } from '@mantine/core';

/** A code of the second factor: of the app, or a recovery code where it may be one. */
export function CodeInput({ isFirst = false, ...input }: TextInputProps & { isFirst?: boolean }) {
  return (
    <TextInput
      label="Code"
      description={
        isFirst
          ? 'Six digits that the app shows now.'
          : 'Six digits of your authenticator app, or a recovery code.'
      }
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={40}
      required
      {...input}
    />
  );
}
