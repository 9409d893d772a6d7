import { Box, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Plan, PlanEntitlement } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { isolate } from '../../ui/isolate';
import { Panel } from '../../ui/Panel';
import { formatCredits, formatQuantity } from '../../ui/quantity';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { RowButton } from '../../ui/RowButton';
import { AddEntitlement } from './AddEntitlement';
import { EntitlementDialog } from './EntitlementDialog';
import { rolloverInWords } from '../../../../src/domain/granted-in-words.ts';

/** What a plan includes of each feature. */
export function Entitlements({ plan }: { plan: Plan }) {
  const { query } = useWorkspace();
  const [isAdding, { open, close }] = useDisclosure(false);
  const [editing, setEditing] = useState<PlanEntitlement>();
  const refusal = useRefusal('developer');
  return (
    <Panel
      title="Entitlements"
      actions={
        <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
          Add a feature
        </ReasonedButton>
      }
    >
      <PagedTable
        label={`Entitlements of ${plan.name}`}
        queryKey={['entitlements', query, plan.id]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/plans/{id}/entitlements', {
              params: { query: { ...query, ...(cursor && { cursor }) }, path: { id: plan.id } },
            }),
          )
        }
        rowKey={({ id }) => id}
        // It fits beside the plan's facts: else, the button that changes an entitlement would be out of sight.
        minWidth={560}
        columns={[
          {
            title: 'Feature',
            cell: ({ feature }) => (
              <Box style={{ overflowWrap: 'anywhere' }}>
                <bdi>{feature.name}</bdi>
                <Text size="xs" c="dimmed">
                  {feature.key}
                </Text>
              </Box>
            ),
          },
          {
            title: 'Included',
            align: 'right',
            cell: quotaInWords,
          },
          {
            title: 'Each',
            cell: ({ feature, resetInterval }) =>
              feature.kind === 'boolean' ? '–' : resetInterval.replaceAll('_', ' '),
          },
          {
            title: 'Beyond it',
            cell: ({ feature, unlimited, enforcement, creditCost }) =>
              feature.kind === 'boolean' || unlimited
                ? '–'
                : `${creditCost === null ? '' : `${formatCredits(creditCost)} each, then `}${enforcement === 'hard' ? 'denied' : 'counted as overage'}`,
          },
          {
            title: 'Unused',
            cell: ({ rollover }) => (rollover === null ? '–' : rolloverInWords(rollover, formatQuantity)),
          },
          ...(refusal === null
            ? [
                {
                  title: 'Actions',
                  cell: (entitlement: PlanEntitlement) => (
                    <RowButton
                      about={isolate(entitlement.feature.name)}
                      onClick={() => setEditing(entitlement)}
                    >
                      Change
                    </RowButton>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <EmptyState title="The plan includes nothing yet">
            Add a feature: checks of its subscribers are denied until then.
          </EmptyState>
        }
      />
      {editing !== undefined && (
        <EntitlementDialog plan={plan} entitlement={editing} onClose={() => setEditing(undefined)} />
      )}
      {isAdding && <AddEntitlement plan={plan} onClose={close} />}
    </Panel>
  );
}

function quotaInWords({ feature, quota, perSeat, entityQuota }: PlanEntitlement): string {
  if (feature.kind === 'boolean') return 'yes';
  const pool = quota === null ? null : `${formatQuantity(quota)}${perSeat ? ' a seat' : ''}`;
  const each = entityQuota === null ? null : `${formatQuantity(entityQuota)} an entity`;
  return [pool, each].filter((part) => part !== null).join(', ') || 'unlimited';
}
