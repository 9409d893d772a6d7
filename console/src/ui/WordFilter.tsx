import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef } from 'react';
import { useFollowedWord } from './use-followed-word';

interface WordFilterProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** The word in the address; empty if there is none. */
  word: string;
  /** Called with the typed text, once typing pauses. */
  onFind: (word: string) => void;
}

/**
 * A text filter of a list, kept in the address. The field also follows the address when a link, Back or Forward sets
 * it.
 */
export function WordFilter({ word, onFind, ...input }: WordFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  const willSend = useFollowedWord(word, (followed) => {
    if (field.current !== null) field.current.value = followed;
  });
  const find = useDebouncedCallback((typed: string, path: string) => {
    // A link that was opened in the meantime leads to a page with filters of its own, or has set this one.
    if (location.pathname !== path || field.current?.value.trim() !== typed) return;
    willSend(typed);
    onFind(typed);
  }, 300);
  return (
    <TextInput
      {...input}
      ref={field}
      defaultValue={word}
      onChange={(event) => find(event.currentTarget.value.trim(), location.pathname)}
    />
  );
}
