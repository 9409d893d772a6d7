/** Focuses the page's content, where the keyboard continues if what had the focus was removed. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}
