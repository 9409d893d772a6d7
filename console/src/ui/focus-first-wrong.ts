const FOCUSABLE = 'input:not([type=hidden]), textarea, select, button, [tabindex]';

/**
 * Gives the focus to the first field of a form, as it is read, that is wrong.
 *
 * @param wrong the fields' names, as the form library marks their elements by
 */
export function focusFirstWrong(form: Element | null, wrong: readonly string[]): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-path]') ?? [])];
  // A list's name stands for its entries too: `percents.0`.
  const field = fields.find(({ dataset: { path = '' } }) =>
    wrong.some((name) => name === path || name.startsWith(`${path}.`)),
  );
  const place = field?.matches(FOCUSABLE) === true ? field : field?.querySelector<HTMLElement>(FOCUSABLE);
  place?.focus();
}
