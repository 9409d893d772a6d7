import type { UseFormReturnType } from '@mantine/form';
import { changedMembers } from './changed';

/**
 * Updates a form on a page after it was saved. Input typed since it was sent is kept.
 *
 * @param sent the form as sent
 * @param saved new initial values of the form
 */
export function showSaved<Values extends object>(
  form: UseFormReturnType<Values>,
  sent: Values,
  saved: Values,
): void {
  const typed = changedMembers(sent, form.getValues());
  form.setInitialValues(saved);
  form.setValues({ ...saved, ...typed });
}
