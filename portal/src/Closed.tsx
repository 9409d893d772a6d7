import { useEffect, useRef } from 'preact/hooks';
import { closed } from './strings';

export type Ending = 'used' | 'ended' | 'left' | 'failed';

/** Shown when the page is no longer available, with what to do. */
export function Closed({ how, onRetry }: { how: Ending; onRetry: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { title, about } = closed[how];
  return (
    <main class="lone">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{about}</p>
      {how === 'failed' ? (
        <button type="button" class="primary" onClick={onRetry}>
          {closed.retry}
        </button>
      ) : (
        how !== 'left' && <p>{closed.again}</p>
      )}
    </main>
  );
}
