import { EmptyState } from './EmptyState';

/** Shown if a list's filters match nothing. */
export function NoneLikeThis() {
  return <EmptyState title="None is like this">Clear a filter to see more.</EmptyState>;
}
