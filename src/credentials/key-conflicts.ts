import type { KeyRing } from './key-ring';
import type { KeyRingRuntime } from './key-ring-store';
import { idOfPublished } from './published-key';

/** Returns the ids of a process's keys for which others hold different bytes; each id once. */
export function conflictingKeys(
  ring: Pick<KeyRing, 'published'>,
  holders: readonly Pick<KeyRingRuntime, 'keyIds'>[],
): string[] {
  const others = [...new Set(holders.flatMap(({ keyIds }) => keyIds))];
  return ring.published.flatMap((own) => {
    const id = idOfPublished(own);
    const isOther = others.some((published) => idOfPublished(published) === id && published !== own);
    return isOther ? [id] : [];
  });
}
