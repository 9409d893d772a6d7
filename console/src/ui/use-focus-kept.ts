import { useLayoutEffect, useRef, type RefObject } from 'react';
import { focusContent } from './focus-content';

/**
 * Returns a ref for a button. If it is removed with the focus, such as by its own action, the content gets the focus. A
 * dialog itself returns or keeps the focus.
 */
export function useFocusKept(): RefObject<HTMLButtonElement | null> {
  const element = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = element.current;
    return () => {
      if (button === null || document.activeElement !== button) return;
      if (button.closest('[role="dialog"]') !== null) return;
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusContent();
      });
    };
  }, []);
  return element;
}
