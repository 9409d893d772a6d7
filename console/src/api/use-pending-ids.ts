import { useMutationState } from '@tanstack/react-query';

/** Returns the ids that the pending mutations with this key were called with: several rows may be pending at once. */
export function usePendingIds(mutationKey: readonly string[]): string[] {
  return useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => String(state.variables),
  });
}
