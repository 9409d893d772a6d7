import { OnlyThese } from '../../ui/OnlyThese';
import type { EventFilters } from './filters';

/** Filters that only a link can set, and that have no field. */
const LINKED = { requestId: 'the request', externalId: 'the customer' } as const;
type Linked = keyof typeof LINKED;

interface LinkedFiltersProps {
  filters: EventFilters;
  onClear: (name: Linked) => void;
}

/** Names the filters set by a link. */
export function LinkedFilters({ filters, onClear }: LinkedFiltersProps) {
  const words = Object.entries(LINKED).flatMap(([name, of]) => {
    const word = filters[name as Linked];
    return word === undefined ? [] : [{ name: name as Linked, of, word }];
  });
  return words.map(({ name, of, word }) => (
    <OnlyThese key={name} onClear={() => onClear(name)}>
      Only of {of} <bdi>{word}</bdi>.
    </OnlyThese>
  ));
}
