import { useEffect, useState } from 'react';

/** Open dialogs and forms with input, each with whether leaving the page would lose it. */
const forms = new Map<symbol, { isUnsaved: boolean }>();

/** Returns whether a form or dialog of the page is in use. */
export function isFormOpen(): boolean {
  return forms.size > 0;
}

/** Returns whether leaving the page would lose input. */
export function isUnsaved(): boolean {
  return [...forms.values()].some((form) => form.isUnsaved);
}

/** Registers a form or dialog while it is open. */
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

/** Registers a form on a page, which counts as open while it has input. */
export function useTypedForm(isTyped: boolean): void {
  useOpenForm({ isOpen: isTyped, isUnsaved: isTyped });
}
