import type { UseFormReturnType } from '@mantine/form';
import { changedMembers } from './changed';

/**
 * Shows in a form of a page what was saved; what was typed since it was sent stays.
 *
 * @param sent the form as it was sent
 * @param saved the form as it begins anew
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
