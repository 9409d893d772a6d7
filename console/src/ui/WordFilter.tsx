import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

interface WordFilterProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** The word in the address; empty if there is none. */
  word: string;
  /** Called with the typed text, once typing pauses. */
  onFind: (word: string) => void;
}

/**
 * A text filter of a list, kept in the address. The field also follows the address when a link or another page sets it.
 */
export function WordFilter({ word, onFind, ...input }: WordFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  const find = useDebouncedCallback((typed: string, path: string) => {
    // A link that was opened in the meantime leads to a page with filters of its own.
    if (location.pathname === path) onFind(typed);
  }, 300);
  useEffect(() => {
    const { current } = field;
    // While the user types, the address follows the field.
    if (current !== null && current !== document.activeElement) current.value = word;
  }, [word]);
  return (
    <TextInput
      {...input}
      ref={field}
      defaultValue={word}
      onChange={(event) => find(event.currentTarget.value.trim(), location.pathname)}
    />
  );
}
