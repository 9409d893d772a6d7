import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useFollowedWord } from '../../ui/use-followed-word';
import { EARLIEST, LATEST } from './range';

interface DayFilterProps {
  label: string;
  /** The chosen day (`2026-11-24`). */
  day: string;
  onChoose: (day: string) => void;
}

/**
 * A day in the address. A picked day applies at once, a typed one with Enter or when the field is left: typing passes
 * through other days (month 1 before month 12, year 0002 before 2026), and setting the field discards the digits typed
 * so far.
 */
export function DayFilter({ label, day, onChoose }: DayFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  const willSend = useFollowedWord(day, (followed) => {
    isTyping.current = false;
    if (field.current !== null) field.current.value = followed;
  });
  const choose = (input: HTMLInputElement) => {
    const { value, validity } = input;
    if (value === '' || value === day || !validity.valid) return;
    willSend(value);
    onChoose(value);
  };
  return (
    <TextInput
      ref={field}
      type="date"
      label={label}
      min={EARLIEST}
      max={LATEST}
      defaultValue={day}
      onKeyDown={({ key, currentTarget }) => {
        isTyping.current = key !== 'Enter';
        if (key === 'Enter') choose(currentTarget);
      }}
      onChange={({ currentTarget }) => {
        if (!isTyping.current) choose(currentTarget);
      }}
      onBlur={({ currentTarget }) => {
        isTyping.current = false;
        choose(currentTarget);
        if (currentTarget.value === '' || !currentTarget.validity.valid) currentTarget.value = day;
      }}
    />
  );
}
