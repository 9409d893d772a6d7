import { useLayoutEffect } from 'react';
import { focusContent } from './focus-content';

/** Whether a page was shown before in this document. */
let wasThere = false;

/**
 * Focuses the content when a page is shown and nothing has the focus, because the link that led there was removed with
 * the previous page. The first page does not, so that the keyboard starts at the top.
 */
export function useFocusOnPage(): void {
  // In the layout effect, so that the focus comes with the page, not some time after it.
  useLayoutEffect(() => {
    if (wasThere && document.activeElement === document.body) focusContent();
    wasThere = true;
  }, []);
}
