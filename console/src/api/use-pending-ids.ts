import { useMutationState } from '@tanstack/react-query';

/** Returns the ids for which mutations of this key are pending; those of several rows may be at once. */
export function usePendingIds(mutationKey: readonly string[]): string[] {
  return useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => String(state.variables),
  });
}
