import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

interface WordFilterProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** What the address has; empty is none. */
  word: string;
  /** Called with what was typed, once it rests. */
  onFind: (word: string) => void;
}

/** A word that narrows a list and stands in the address. The field has it also where a link or another page has led there. */
export function WordFilter({ word, onFind, ...input }: WordFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  const find = useDebouncedCallback(onFind, 300);
  useEffect(() => {
    const { current } = field;
    // While it is typed in, the address follows the field.
    if (current !== null && current !== document.activeElement) current.value = word;
  }, [word]);
  return (
    <TextInput
      {...input}
      ref={field}
      defaultValue={word}
      onChange={(event) => find(event.currentTarget.value.trim())}
    />
  );
}
