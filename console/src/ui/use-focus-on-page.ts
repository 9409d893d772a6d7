import { useEffect } from 'react';

/** Whether a page was there before in this document. */
let wasThere = false;

/**
 * Gives the focus to the content when a page comes and nothing has it: the link that led there went with the page before. The
 * first page leaves it alone, so that the keyboard begins at the top.
 */
export function useFocusOnPage(): void {
  useEffect(() => {
    if (wasThere && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
    wasThere = true;
  }, []);
}
