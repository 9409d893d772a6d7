import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { EmptyState } from '../../ui/EmptyState';

/**
 * Shown if a search has found nothing yet: the API reads a limited number of events per answer, and there are older
 * ones.
 */
export function SearchFurther({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      // The button is removed once something is found, or nothing remains to be searched.
      if (current !== null && current === document.activeElement)
        document.getElementById('content')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <EmptyState
      title="Nothing is like this so far"
      action={
        <Button ref={button} mt="sm" variant="default" loading={isBusy} onClick={onPress}>
          Search further back
        </Button>
      }
    >
      The newest events have been searched. There are older ones.
    </EmptyState>
  );
}
