import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useFollowedWord } from '../../ui/use-followed-word';

interface BeforeFilterProps {
  /** The time in the address; empty if there is none. */
  time: string;
  onChoose: (time: string) => void;
}

/**
 * The time before which decisions are listed. It is not controlled, because setting the field discards the digits typed
 * so far; it follows the address when a link, Back or Forward sets it.
 */
export function BeforeFilter({ time, onChoose }: BeforeFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  const willSend = useFollowedWord(time, (followed) => {
    if (field.current !== null) field.current.value = followed;
  });
  return (
    <TextInput
      ref={field}
      type="datetime-local"
      label="Decided before"
      description="In your time zone."
      defaultValue={time}
      onChange={({ currentTarget: { value } }) => {
        willSend(value);
        onChoose(value);
      }}
    />
  );
}
