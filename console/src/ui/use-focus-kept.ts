import { useLayoutEffect, useRef, type RefObject } from 'react';
import { focusContent } from './focus-content';

/**
 * Returns a ref for a button. If the button is removed while it has the focus, its dialog gets the focus, or the
 * content if there is none. A dialog that is itself removed returns the focus.
 */
export function useFocusKept(): RefObject<HTMLButtonElement | null> {
  const element = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = element.current;
    return () => {
      if (button === null || document.activeElement !== button) return;
      const dialog = button.closest<HTMLElement>('[role="dialog"]');
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        if (dialog === null) focusContent();
        else dialog.focus({ preventScroll: true });
      });
    };
  }, []);
  return element;
}
