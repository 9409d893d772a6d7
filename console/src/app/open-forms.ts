import { useEffect, useState } from 'react';

/** The dialogs that are open and the forms that something is typed in, each with whether leaving the page would lose it. */
const forms = new Map<symbol, { isUnsaved: boolean }>();

/** Whether somebody works in a form or dialog of the page. */
export function isFormOpen(): boolean {
  return forms.size > 0;
}

/** Whether leaving the page would lose something. */
export function isUnsaved(): boolean {
  return [...forms.values()].some((form) => form.isUnsaved);
}

/** Says that a form or dialog is open, for as long as it is. */
export function useOpenForm(form: { isOpen: boolean; isUnsaved: boolean }): void {
  const { isOpen } = form;
  const [id] = useState(() => Symbol('form'));
  useEffect(() => {
    if (!isOpen) return undefined;
    forms.set(id, { isUnsaved: form.isUnsaved });
    return () => {
      forms.delete(id);
    };
  }, [id, isOpen, form.isUnsaved]);
}

/** The same for a form that stands on a page: it is open while something is typed in it. */
export function useTypedForm(isTyped: boolean): void {
  useOpenForm({ isOpen: isTyped, isUnsaved: isTyped });
}
