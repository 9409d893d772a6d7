const FOCUSABLE = 'input:not([type=hidden]), textarea, select, button, [tabindex]';

/**
 * Focuses the first invalid field of a form, in reading order.
 *
 * @param wrong names of the fields, as marked on their elements by the form library
 */
export function focusFirstWrong(form: Element | null, wrong: readonly string[]): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-path]') ?? [])];
  // A list's name also covers its entries: `percents.0`.
  const field = fields.find(({ dataset: { path = '' } }) =>
    wrong.some((name) => name === path || name.startsWith(`${path}.`)),
  );
  if (field?.matches(FOCUSABLE) === true) field.focus();
  else focusFirst(field);
}

/** Focuses the first field or button within an element. */
export function focusFirst(within: Element | null | undefined): void {
  within?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
}
