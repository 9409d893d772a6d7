import { useLayoutEffect, useRef, type RefObject } from 'react';
import { focusContent } from './focus-content';

/** Returns a ref for a button. If it is removed with the focus, such as by its own action, the content gets the focus. */
export function useFocusKept(): RefObject<HTMLButtonElement | null> {
  const element = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = element.current;
    return () => {
      if (document.activeElement !== button) return;
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusContent();
      });
    };
  }, []);
  return element;
}
