import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { changedMembers } from './changed';

/**
 * Shows in a form of a page what somebody else has changed meanwhile, in the fields that were not touched; what was typed
 * stays.
 *
 * @param fresh what the API says now, as the form has it
 */
export function useFresh<Values extends object>(form: UseFormReturnType<Values>, fresh: Values): void {
  const show = useEffectEvent((now: Values) => {
    const typed = changedMembers(form.getInitialValues(), form.getValues());
    form.setInitialValues(now);
    form.setValues({ ...now, ...typed });
  });
  const written = JSON.stringify(fresh);
  useEffect(() => show(JSON.parse(written) as Values), [written]);
}
