import type { components } from '../../api/schema';
import { isolate } from '../../ui/isolate';

/** Names a key. Its last characters are included, because a key and its successor have the same name. */
export function keyInWords({
  name,
  lastFour,
}: Pick<components['schemas']['ApiKey'], 'name' | 'lastFour'>): string {
  return `${isolate(name)}, ending in ${lastFour}`;
}
