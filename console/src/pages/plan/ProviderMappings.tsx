import { Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Loading } from '../../ui/Loading';
import { Money } from '../../ui/Money';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { priceUnit } from '../../ui/price';
import { connectionsQuery } from '../connections/queries';
import { providerMappings } from './provider-mappings';
import { ProviderPrice } from './ProviderPrice';

/** The plan's reference at each payment provider, and on request the provider's price next to ours. */
export function ProviderMappings({ plan }: { plan: Plan }) {
  const { env, query } = useWorkspace();
  const refusal = useRefusal(env === 'production' ? 'admin' : 'developer');
  const connections = useQuery(connectionsQuery(query));
  const known = connections.data;
  // Without the connections, their own references would be said to be missing.
  const mappings = known === undefined ? [] : providerMappings(plan, known);
  const tested = mappings.flatMap(({ connection, reference }) =>
    connection === null || reference === null ? [] : [connection.id],
  );
  const compare = useMutation({
    mutationFn: async () => {
      const tests = tested.map((id) =>
        bodyOf(api.POST('/api/provider-connections/{id}/test', { params: { query, path: { id } } })),
      );
      return (await Promise.all(tests)).flatMap(({ planPrices }) => planPrices);
    },
  });
  const unread = known === undefined ? 'The connections are not read yet.' : null;
  const nothing = tested.length === 0 ? 'No connection maps this plan.' : null;
  return (
    <Panel
      title="At payment providers"
      actions={
        <ReasonedButton
          size="compact-sm"
          variant="default"
          reason={refusal ?? unread ?? nothing}
          loading={compare.isPending}
          onClick={() => compare.mutate()}
        >
          Compare prices
        </ReasonedButton>
      }
    >
      <Stack gap="xs">
        {connections.isPending && <Loading label="Loading the connections" size="sm" />}
        {connections.isError && (
          <ProblemPanel error={connections.error} retry={() => void connections.refetch()} />
        )}
        {compare.isError && <ProblemPanel error={compare.error} />}
        <Text size="sm">
          Our price: <Money value={plan.price} />
          {priceUnit(plan)}
        </Text>
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label="The plan at payment providers" verticalSpacing={4}>
            <Table.Tbody>
              {mappings.map(({ key, title, connection, reference }) => (
                <Table.Tr key={key}>
                  <Table.Th scope="row">
                    <bdi>{title}</bdi>
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {reference === null ? '✗ missing: not sold there' : `✓ mapped: ${reference}`}
                  </Table.Td>
                  <Table.Td>
                    <ProviderPrice
                      price={compare.data?.find(
                        (price) => price.connectionId === connection?.id && price.plan.id === plan.id,
                      )}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
    </Panel>
  );
}
