import { useEffect, useState } from 'react';

/** What leaving the page would lose: input, or the outcome of a request that is not answered yet. */
export type Loss = 'input' | 'outcome';

/** Open dialogs and forms with input, each with what leaving the page would lose. */
const forms = new Map<symbol, Loss | null>();

/** Returns whether a form or dialog of the page is in use. */
export function isFormOpen(): boolean {
  return forms.size > 0;
}

/** Returns what leaving the page would lose; null if nothing. */
export function lossByLeaving(): Loss | null {
  const losses = [...forms.values()];
  return (['outcome', 'input'] as const).find((loss) => losses.includes(loss)) ?? null;
}

/** Registers a form or dialog while it is open. */
export function useOpenForm(form: { isOpen: boolean; loss: Loss | null }): void {
  const { isOpen } = form;
  const [id] = useState(() => Symbol('form'));
  useEffect(() => {
    if (!isOpen) return undefined;
    forms.set(id, form.loss);
    return () => {
      forms.delete(id);
    };
  }, [id, isOpen, form.loss]);
}

/** Registers a form on a page, which counts as open while it has input. */
export function useTypedForm(isTyped: boolean): void {
  useOpenForm({ isOpen: isTyped, loss: isTyped ? 'input' : null });
}
