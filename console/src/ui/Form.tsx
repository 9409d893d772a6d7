import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, type ReactNode } from 'react';
import { fieldErrors } from './field-errors';
import { focusFirstWrong } from './focus-first-wrong';

interface FormProps<Values> {
  form: UseFormReturnType<Values>;
  onSubmit: (values: Values) => void;
  /** What the API refused, or null. */
  refused: unknown;
  /** Whether the browser checks it before, by its `required` fields; it leads to the first wrong one itself. */
  isCheckedByBrowser?: boolean;
  children: ReactNode;
}

/** A form. Where the page or the API finds something wrong, its first wrong field has the focus, and says what. */
export function Form<Values>(props: FormProps<Values>) {
  const { form, onSubmit, refused, isCheckedByBrowser = false, children } = props;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused !== null) focusFirstWrong(element.current, Object.keys(fieldErrors(refused)));
  }, [refused]);
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        form.onSubmit(onSubmit, (errors) => focusFirstWrong(element.current, Object.keys(errors)))(event);
      }}
      noValidate={!isCheckedByBrowser}
    >
      {children}
    </form>
  );
}
