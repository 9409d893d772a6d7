import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readNumber, type TypedNumber } from './typed-number';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  value?: TypedNumber;
  onChange?: (typed: TypedNumber) => void;
}

/**
 * A number field. It keeps the typed or pasted text, so that errors can be explained: an input that drops characters it
 * does not understand would turn `1.234,56` into 1.23456.
 */
export function NumberField({ value = '', onChange, ...input }: NumberFieldProps) {
  const [text, setText] = useState(String(value));
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      autoComplete="off"
      // `1.0`, typed on the way to `1.05`, already equals 1.
      value={readNumber(text) === value ? text : String(value)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange?.(readNumber(currentTarget.value));
      }}
    />
  );
}
