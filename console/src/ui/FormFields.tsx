import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './FormFields.module.css';

interface FormFieldsProps {
  /** Why what is typed could not be saved; null where it can. */
  refusal: string | null;
  children: ReactNode;
}

/** The fields of a form that stands on a page. Who may not save them reads them, and types nothing that would be lost. */
export function FormFields({ refusal, children }: FormFieldsProps) {
  return (
    <Fieldset className={classes.fields} variant="unstyled" disabled={refusal !== null} miw={0}>
      <Stack>{children}</Stack>
    </Fieldset>
  );
}
