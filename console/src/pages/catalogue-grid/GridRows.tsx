import { Table, Text } from '@mantine/core';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Feature, Plan } from '../../api/resources';
import { GridCell, type OpenedCell } from './GridCell';
import type { Grid } from './use-grid';

interface GridRowsProps {
  plans: Plan[];
  features: Feature[];
  find: Grid['find'];
  /** Id of the text that says why no cell can be opened. */
  refusedBy: string | undefined;
  onOpen: (cell: OpenedCell) => void;
}

const ROW_PX = 60;
const OVERSCAN = 8;

/** Up to this number of cells the grid is rendered completely, so that the browser's own search finds every row. */
const WHOLE = 2_000;

/**
 * Renders a row for each feature. Of a large grid, the page contains only the rows in view and the one with the focus.
 */
export function GridRows({ plans, features, find, refusedBy, onOpen }: GridRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number>();
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: features.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => features[index]?.id ?? index,
    overscan: plans.length * features.length <= WHOLE ? features.length : OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range);
      if (focused === undefined || focused >= range.count || inView.includes(focused)) return inView;
      return [...inView, focused].toSorted((one, other) => one - other);
    },
  });
  // Rows rendered out of view compensate for the few pixels by which it moves when the page's width changes.
  useLayoutEffect(() => {
    if (body.current !== null) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, [plans.length, features.length, refusedBy]);
  const shown = rows.getVirtualItems();
  const end = shown.at(-1)?.end ?? top;
  return (
    <Table.Tbody
      ref={body}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
      }}
    >
      {shown.map(({ index, start }, place) => {
        const feature = features[index];
        return (
          feature && [
            <Gap key={`before ${feature.id}`} height={start - (shown[place - 1]?.end ?? top)} />,
            <Table.Tr
              key={feature.id}
              ref={rows.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              onFocus={() => setFocused(index)}
            >
              <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{feature.name}</bdi>
                <Text size="xs" c="dimmed">
                  {feature.key}
                  {feature.archivedAt !== null && ', archived'}
                </Text>
              </Table.Th>
              {plans.map((plan) => (
                <Table.Td key={plan.id}>
                  <GridCell
                    plan={plan}
                    feature={feature}
                    granted={find(plan, feature)}
                    refusedBy={refusedBy}
                    onOpen={onOpen}
                  />
                </Table.Td>
              ))}
            </Table.Tr>,
          ]
        );
      })}
      <Gap height={rows.getTotalSize() + top - end} />
    </Table.Tbody>
  );
}

/** Placeholder for rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height < 1) return null;
  return (
    <Table.Tr aria-hidden="true">
      <Table.Td p={0} style={{ height }} />
    </Table.Tr>
  );
}
