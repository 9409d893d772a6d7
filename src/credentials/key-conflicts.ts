import type { KeyRing } from './key-ring';
import type { KeyRingRuntime } from './key-ring-store';

/** The id of a key as a process publishes it, with its check value. */
export function idOfPublished(published: string): string {
  return published.split('#')[0] ?? '';
}

/** Which of a process's keys the processes that run have other bytes for, under the same id; each id once. */
export function conflictingKeys(
  ring: Pick<KeyRing, 'published'>,
  runtimes: readonly Pick<KeyRingRuntime, 'keyIds'>[],
): string[] {
  const others = [...new Set(runtimes.flatMap(({ keyIds }) => keyIds))];
  return ring.published.flatMap((own) => {
    const id = idOfPublished(own);
    const isOther = others.some((published) => idOfPublished(published) === id && published !== own);
    return isOther ? [id] : [];
  });
}
