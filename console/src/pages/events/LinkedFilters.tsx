import { Button, Group, Text } from '@mantine/core';
import type { EventFilters } from './filters';

/** What only a link narrows the events by: no field shows it. */
const LINKED = { requestId: 'the request', externalId: 'the customer' } as const;
type Linked = keyof typeof LINKED;

interface LinkedFiltersProps {
  filters: EventFilters;
  onClear: (name: Linked) => void;
}

/** Says that a link has narrowed the events, so that nobody takes them for all there are, and takes it off. */
export function LinkedFilters({ filters, onClear }: LinkedFiltersProps) {
  const words = Object.entries(LINKED).flatMap(([name, of]) => {
    const word = filters[name as Linked];
    return word === undefined ? [] : [{ name: name as Linked, of, word }];
  });
  return words.map(({ name, of, word }) => (
    <Group key={name} gap="xs" mb="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Only of {of} <bdi>{word}</bdi>.
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => {
          onClear(name);
          // It goes with what it stands beside.
          document.getElementById('content')?.focus({ preventScroll: true });
        }}
      >
        Show all
      </Button>
    </Group>
  ));
}
