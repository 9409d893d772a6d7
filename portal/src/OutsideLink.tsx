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
