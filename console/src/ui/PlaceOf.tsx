import type { ReactNode } from 'react';

/** The space of a text that is not known yet. Without it, the text would move the buttons below when it arrives. */
export function PlaceOf({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden style={{ visibility: 'hidden' }}>
      {children}
    </span>
  );
}
