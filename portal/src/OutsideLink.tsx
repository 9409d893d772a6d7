import { useId } from 'preact/hooks';
import { pay } from './strings';

/** Link to a provider's page, without a referrer. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  const hint = useId();
  if (!/^https?:\/\//.test(href)) return null;
  return (
    <p class="outside">
      <a class="primary" href={href} target="_blank" rel="noopener noreferrer" aria-describedby={hint}>
        {children}
      </a>
      <span id={hint} class="hint">
        {pay.opens}
      </span>
    </p>
  );
}

/**
 * The space of a link that is not known yet. Without it, the link would move the buttons below while someone presses
 * one, and the press would be lost.
 */
export function PlaceOfOutsideLink({ children }: { children: string }) {
  return (
    <p class="outside unknown" aria-hidden="true">
      <a class="primary">{children}</a>
      <span class="hint">{pay.opens}</span>
    </p>
  );
}
