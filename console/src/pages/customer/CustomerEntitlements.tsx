import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Customer, CustomerEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { Loading } from '../../ui/Loading';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Sentence } from '../../ui/Sentence';
import { Time } from '../../ui/Time';
import { Quota } from './Quota';
import { TryCheck } from './TryCheck';

/** Number of features shown at first: a catalogue may have hundreds, and the page continues below them. */
const FIRST = 20;

/** The customer's current entitlements: each feature with its quota, and a form that runs a check. */
export function CustomerEntitlements({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const entitlements = useQuery({
    queryKey: ['entitlements of', query, customer.id],
    queryFn: () =>
      bodyOf(api.GET('/api/customers/{id}/entitlements', { params: { query, path: { id: customer.id } } })),
  });
  const features = entitlements.data?.data ?? [];
  const [isWhole, { toggle }] = useDisclosure(false);
  const ordered = [...features.filter(isIncluded), ...features.filter((feature) => !isIncluded(feature))];
  return (
    <Panel title="Entitlements">
      {entitlements.isPending && <Loading label="Loading the entitlements" size="sm" />}
      {entitlements.isError && (
        <ProblemPanel error={entitlements.error} retry={() => void entitlements.refetch()} />
      )}
      {entitlements.isSuccess && features.length === 0 && (
        <Text size="sm">There is no feature yet: create one in the catalogue.</Text>
      )}
      {features.length > 0 && (
        <Stack>
          <Table.ScrollContainer minWidth={480}>
            <Table aria-label="Entitlements" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Feature</Table.Th>
                  <Table.Th>Used</Table.Th>
                  <Table.Th>A check</Table.Th>
                  <Table.Th>Period</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {ordered.slice(0, isWhole ? ordered.length : FIRST).map((entitlement) => (
                  <Row key={entitlement.feature} entitlement={entitlement} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {ordered.length > FIRST && (
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={isWhole}
              style={{ alignSelf: 'flex-start' }}
              onClick={toggle}
            >
              {isWhole ? `Show the first ${FIRST}` : `Show all ${ordered.length.toLocaleString()} features`}
            </Button>
          )}
          <TryCheck customer={customer} features={features} />
        </Stack>
      )}
    </Panel>
  );
}

/** Returns whether a plan of the customer includes the feature. */
function isIncluded({ reason }: CustomerEntitlement): boolean {
  return reason?.code !== 'feature_not_in_plan' && reason?.code !== 'no_active_subscription';
}

function Row({ entitlement }: { entitlement: CustomerEntitlement }) {
  const { feature, name, kind, allowed, reason, period } = entitlement;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {feature}
        </Text>
      </Table.Td>
      <Table.Td miw={180}>
        <Quota entitlement={entitlement} />
      </Table.Td>
      <Table.Td>
        <Badge
          variant="light"
          color={allowed ? 'teal' : 'red'}
          c="var(--mantine-color-text)"
          tt="none"
          radius="sm"
          miw="max-content"
        >
          {allowed ? 'allowed' : 'denied'}
        </Badge>
        {reason !== null && (
          <Text size="xs" c="dimmed" maw={220}>
            <Sentence text={reason.message} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {kind === 'metered' && period !== null && period.end !== null && (
          <Text size="xs" c="dimmed">
            resets <Time at={period.end} precision="minute" />
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
