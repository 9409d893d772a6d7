import { TagsInput } from '@mantine/core';
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';
import { ALERT_PERCENTS } from '../../../src/domain/usage-alert.ts';
import { numberProblem, readNumber } from './typed-number';

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

/** Returns what is wrong with typed percentages, and with which one, for their field; null if they are valid. */
export function percentsProblem(typed: readonly string[]): string | null {
  const { least: min, most: max } = ALERT_PERCENTS;
  const problems = typed.map((percent) => {
    const problem = numberProblem(readNumber(percent), { min, max, whole: true });
    return problem === null ? null : `${percent}: ${problem}`;
  });
  return problems.find((problem) => problem !== null) ?? null;
}

/** Returns the error of a list in a form or of one of its entries, whose pointers end with their index. */
export function listError({ errors }: Pick<UseFormReturnType<never>, 'errors'>, name: string) {
  return Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
}
