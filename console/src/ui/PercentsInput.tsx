import { TagsInput } from '@mantine/core';
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';

interface PercentsInputProps {
  label: string;
  description: string;
  field: GetInputPropsReturnType;
  /** What is wrong with them, or with one of them (`listError`). */
  error: React.ReactNode;
}

/** Percents of a quota, as they are typed. */
export function PercentsInput({ field, error, ...about }: PercentsInputProps) {
  return <TagsInput {...about} splitChars={[',', ' ']} {...field} error={error} />;
}

/** What is wrong with a list of a form or one of its members, whose pointers end in their places. */
export function listError({ errors }: Pick<UseFormReturnType<never>, 'errors'>, name: string) {
  return Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
}
