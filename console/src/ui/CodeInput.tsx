import { TextInput, type TextInputProps } from '@mantine/core';

/** Input of a second-factor code: from the app, or a recovery code if accepted. */
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
