import { Table, Text } from '@mantine/core';
import type { Feature, Plan } from '../../api/resources';
import { WindowedRows } from '../../ui/WindowedRows';
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

/** Up to this number of cells the grid is rendered completely. */
const WHOLE = 2_000;

/** Renders a row for each feature. */
export function GridRows({ plans, features, find, refusedBy, onOpen }: GridRowsProps) {
  return (
    <WindowedRows
      items={features}
      keyOf={({ id }) => id}
      rowPx={60}
      isWhole={plans.length * features.length <= WHOLE}
    >
      {(feature) => (
        <>
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
        </>
      )}
    </WindowedRows>
  );
}
