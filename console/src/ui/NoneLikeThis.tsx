import { EmptyState } from './EmptyState';

/** What stands where a list's filters leave nothing. */
export function NoneLikeThis() {
  return <EmptyState title="None is like this">Clear a filter to see more.</EmptyState>;
}
