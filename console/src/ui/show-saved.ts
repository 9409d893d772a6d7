import type { UseFormReturnType } from '@mantine/form';
import { changedMembers } from './changed';
import { mergeLists } from './merge-lists';

/**
 * Updates a form on a page after it was saved. Input typed since it was sent is kept, and in lists also
 * what others have added and removed.
 *
 * @param sent the form as sent
 * @param saved new initial values of the form
 */
export function showSaved<Values extends object>(
  form: UseFormReturnType<Values>,
  sent: Values,
  saved: Values,
): void {
  const typed = mergeLists(sent, changedMembers(sent, form.getValues()), saved);
  form.setInitialValues(saved);
  form.setValues({ ...saved, ...typed });
}
