import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readNumber, type TypedNumber } from './typed-number';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  value?: TypedNumber;
  onChange?: (typed: TypedNumber) => void;
}

/**
 * A field for a number. It keeps what was typed or pasted as it is, so that what is wrong with it can be said; an input
 * that drops what it does not understand makes 1.23456 of `1.234,56`.
 */
export function NumberField({ value = '', onChange, ...input }: NumberFieldProps) {
  const [text, setText] = useState(String(value));
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      autoComplete="off"
      // `1.0` on the way to `1.05` is 1 already.
      value={readNumber(text) === value ? text : String(value)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange?.(readNumber(currentTarget.value));
      }}
    />
  );
}
