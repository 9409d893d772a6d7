import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { toInstant, toLocal } from '../../ui/local-time';
import { useFollowedWord } from '../../ui/use-followed-word';

interface BeforeFilterProps {
  /** The instant in the address; empty if there is none. */
  instant: string;
  onChoose: (instant: string) => void;
}

/**
 * The time before which decisions are listed. The address has the instant, which is the same for viewers in other time
 * zones. The field is not controlled, because setting it discards the digits typed so far; it follows the address when
 * a link, Back or Forward sets it.
 */
export function BeforeFilter({ instant, onChoose }: BeforeFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  const willSend = useFollowedWord(instant, (followed) => {
    if (field.current !== null) field.current.value = toLocal(followed);
  });
  return (
    <TextInput
      ref={field}
      type="datetime-local"
      label="Decided before"
      description="In your time zone."
      defaultValue={toLocal(instant)}
      onChange={({ currentTarget: { value } }) => {
        // Empty, or a year of five digits on the way to another.
        const typed = Number.isNaN(Date.parse(value)) ? '' : toInstant(value);
        willSend(typed);
        onChoose(typed);
      }}
    />
  );
}
