import { useId } from 'preact/hooks';
import { pay } from './strings';

/** A way to a provider's page, which learns nothing of where the customer comes from. */
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
