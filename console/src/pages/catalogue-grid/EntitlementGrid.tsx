import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { PlanGroup } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { EmptyState } from '../../ui/EmptyState';
import { ListRefusal } from '../../ui/ListRefusal';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { AddEntitlement } from '../plan/AddEntitlement';
import { EntitlementDialog } from '../plan/EntitlementDialog';
import type { OpenedCell } from './GridCell';
import { GridRows } from './GridRows';
import { useGrid } from './use-grid';
import { Loading } from '../../ui/Loading';

/** Grid of features by plans. It scrolls within itself if there are more plans than fit. */
export function EntitlementGrid({ group }: { group: PlanGroup }) {
  const { grid, error, retry } = useGrid(group.id);
  const refusal = useRefusal('developer');
  // The cell as it was when opened. A save in its dialog does not change which dialog is open.
  const [opened, setOpened] = useState<OpenedCell>();
  const problem = error !== null && <ProblemPanel error={error} retry={retry} />;
  if (grid === undefined) return problem || <Loading label="Loading the grid" />;
  const { find } = grid;
  const [plans, features] = [grid.plans.items, grid.features.items];
  if (plans.length === 0 || features.length === 0)
    // There may be plans whose entitlements could not be read.
    return (
      problem || (
        <EmptyState
          title={plans.length === 0 ? 'The group has no plan on sale' : 'There are no features yet'}
        >
          The grid needs plans and features: create them in the catalogue.
        </EmptyState>
      )
    );
  // A dialog closes once its change is saved and the grid is read again. By then another cell may be open.
  const close = () => setOpened((current) => (current === opened ? undefined : current));
  return (
    <>
      <ListRefusal id="grid-refusal" of="Changing what a plan includes" refusal={refusal} />
      <Table.ScrollContainer minWidth={160 + plans.length * 170}>
        <Table
          aria-label={`Entitlements of the group ${group.name}`}
          aria-rowcount={features.length + 1}
          withColumnBorders
          layout="fixed"
        >
          <Table.Thead>
            <Table.Tr aria-rowindex={1}>
              <Table.Th>Feature</Table.Th>
              {plans.map(({ id, name }) => (
                <Table.Th key={id} scope="col" style={{ overflowWrap: 'anywhere' }}>
                  <WorkspaceLink path={`/catalogue/plans/${id}`}>
                    <bdi>{name}</bdi>
                  </WorkspaceLink>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <GridRows
            plans={plans}
            features={features}
            find={find}
            refusedBy={refusal === null ? undefined : 'grid-refusal'}
            onOpen={setOpened}
          />
        </Table>
      </Table.ScrollContainer>
      {problem}
      {(grid.plans.hasMore || grid.features.hasMore) && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {`Features: ${features.length}. Plans: ${plans.length}. There are more.`}
          </Text>
          {grid.features.hasMore && (
            <Button variant="default" loading={grid.features.isLoading} onClick={grid.features.loadMore}>
              More features
            </Button>
          )}
          {grid.plans.hasMore && (
            <Button variant="default" loading={grid.plans.isLoading} onClick={grid.plans.loadMore}>
              More plans
            </Button>
          )}
        </Group>
      )}
      {opened !== undefined &&
        (opened.granted === undefined ? (
          <AddEntitlement
            key={opened.feature.id + opened.plan.id}
            plan={opened.plan}
            featureId={opened.feature.id}
            onClose={close}
          />
        ) : (
          <EntitlementDialog
            key={opened.granted.id}
            plan={opened.plan}
            entitlement={opened.granted}
            onClose={close}
          />
        ))}
    </>
  );
}
