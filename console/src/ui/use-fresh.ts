import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { changedMembers } from './changed';
import { mergeLists } from './merge-lists';

/**
 * Updates a form on a page with concurrent changes by others, in the fields that were not edited and in lists. Input is
 * kept.
 *
 * @param fresh the current values from the API, in the form's shape
 */
export function useFresh<Values extends object>(form: UseFormReturnType<Values>, fresh: Values): void {
  const show = useEffectEvent((now: Values) => {
    const before = form.getInitialValues();
    const typed = mergeLists(before, changedMembers(before, form.getValues()), now);
    form.setInitialValues(now);
    form.setValues({ ...now, ...typed });
  });
  const written = JSON.stringify(fresh);
  useEffect(() => show(JSON.parse(written) as Values), [written]);
}
