import { Button } from '@mantine/core';
import { EmptyState } from '../../ui/EmptyState';

/**
 * Shown if a search has found nothing yet: the API reads a limited number of events per answer, and there are older
 * ones.
 */
export function SearchFurther({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) {
  return (
    <EmptyState
      title="No events match so far"
      action={
        <Button mt="sm" variant="default" loading={isBusy} onClick={onPress}>
          Search further back
        </Button>
      }
    >
      The newest events have been searched. There are older ones.
    </EmptyState>
  );
}
