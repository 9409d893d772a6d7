import { usage as words } from './strings';
import type { PortalView } from './types';

/** Usage of each quota. */
export function UsageList({ view: { usage, credits, subscriptions } }: { view: PortalView }) {
  const isPaused = subscriptions.some(({ accessDenied }) => accessDenied);
  const runs = subscriptions.some(({ waitsFor }) => waitsFor !== null && waitsFor !== 'checkout');
  const none = runs ? words.none : words.nothing;
  return (
    <section class="card" aria-labelledby="usage">
      <h2 id="usage">{words.title}</h2>
      {usage.length === 0 && credits === 0 && <p class="hint">{isPaused ? words.paused : none}</p>}
      <ul class="rows">
        {usage.map(({ feature, usage: used, quota, remaining, unlimited, resetsAt }) => (
          <li key={feature}>
            <div class="row">
              <bdi>{feature}</bdi>
              <strong>{usedInWords({ used, quota, unlimited })}</strong>
            </div>
            {!unlimited && quota !== null && (
              <meter
                class={used >= quota ? 'full' : ''}
                aria-label={feature}
                min={0}
                max={Math.max(quota, 1e-6)}
                value={Math.min(used, quota)}
              />
            )}
            <p class="hint">
              {[
                remaining === null || unlimited ? null : words.left(remaining),
                resetsAt === null ? null : words.resets(resetsAt),
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </p>
          </li>
        ))}
        {credits > 0 && (
          <li>
            <div class="row">
              <span>{words.credits}</span>
              <strong>{words.left(credits)}</strong>
            </div>
          </li>
        )}
      </ul>
    </section>
  );
}

function usedInWords({ used, quota, unlimited }: { used: number; quota: number | null; unlimited: boolean }) {
  if (unlimited) return words.unlimited(used);
  // Only the customer’s users, projects or the like have quotas, each its own.
  if (quota === null) return words.limitedForEach(used);
  return words.of(used, quota);
}
