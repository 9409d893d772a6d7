import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { changedMembers } from './changed';

/**
 * Shows in a form of a page what somebody else has changed meanwhile, in the fields that were not touched; what was typed
 * stays.
 *
 * @param fresh what the API says now, as the form has it
 */
export function useFresh<Values extends object>(form: UseFormReturnType<Values>, fresh: Values): void {
  const latest = useRef(form);
  latest.current = form;
  const written = JSON.stringify(fresh);
  useEffect(() => {
    const now = JSON.parse(written) as Values;
    const { getInitialValues, getValues, setInitialValues, setValues } = latest.current;
    const typed = changedMembers(getInitialValues(), getValues());
    setInitialValues(now);
    setValues({ ...now, ...typed });
  }, [written]);
}
