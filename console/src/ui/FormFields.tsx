import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './FormFields.module.css';

interface FormFieldsProps {
  /** Why the input could not be saved; null if it could. */
  refusal: string | null;
  children: ReactNode;
}

/** Fields of a form on a page. An operator who may not save can read them, but not type what would be lost. */
export function FormFields({ refusal, children }: FormFieldsProps) {
  return (
    <Fieldset className={classes.fields} variant="unstyled" disabled={refusal !== null} miw={0}>
      <Stack>{children}</Stack>
    </Fieldset>
  );
}
