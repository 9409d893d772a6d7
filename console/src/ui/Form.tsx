import type { UseFormReturnType } from '@mantine/form';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { fieldErrors } from './field-errors';
import { focusFirstWrong } from './focus-first-wrong';
import { unfinishedTimes } from './local-time';

interface FormProps<Values> {
  form: UseFormReturnType<Values>;
  onSubmit: (values: Values) => void;
  /** The API's refusal, or null. */
  refused: unknown;
  /** Whether the browser validates first, by `required` fields, and focuses the first invalid one itself. */
  isCheckedByBrowser?: boolean;
  children: ReactNode;
}

/** A form. If the page or the API rejects it, the first invalid field gets the focus and shows the error. */
export function Form<Values>(props: FormProps<Values>) {
  const { form, onSubmit, refused, isCheckedByBrowser = false, children } = props;
  const element = useRef<HTMLFormElement>(null);
  // In the layout effect, because a later effect could take the focus from where the keyboard has moved.
  useLayoutEffect(() => {
    if (refused !== null) focusFirstWrong(element.current, Object.keys(fieldErrors(refused)));
  }, [refused]);
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        const unfinished = unfinishedTimes(event.currentTarget);
        const refuse = (errors: object) => focusFirstWrong(element.current, Object.keys(errors));
        if (Object.keys(unfinished).length === 0) {
          form.onSubmit(onSubmit, refuse)(event);
          return;
        }
        event.preventDefault();
        const errors = { ...form.validate().errors, ...unfinished };
        form.setErrors(errors);
        refuse(errors);
      }}
      noValidate={!isCheckedByBrowser}
    >
      {children}
    </form>
  );
}
