import { TagsInput } from '@mantine/core';
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';

interface PercentsInputProps {
  label: string;
  description: string;
  field: GetInputPropsReturnType;
  /** What is wrong with the list or one of its entries (`listError`). */
  error: React.ReactNode;
}

/** Input of percentages of a quota. */
export function PercentsInput({ field, error, ...about }: PercentsInputProps) {
  return <TagsInput {...about} splitChars={[',', ' ']} {...field} error={error} />;
}

/** Returns the error of a list in a form or of one of its entries, whose pointers end with their index. */
export function listError({ errors }: Pick<UseFormReturnType<never>, 'errors'>, name: string) {
  return Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
}
