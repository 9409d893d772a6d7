import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { EmptyState } from '../../ui/EmptyState';

/** A search that has found nothing yet: the API reads so many events for an answer, and there are older ones. */
export function SearchFurther({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      // It goes when something is found, or nothing is left to be searched.
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
