import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Customer, CustomerEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { formatQuantity } from '../../ui/quantity';
import { Dialog } from '../../ui/Dialog';
import { Loading } from '../../ui/Loading';

interface EntityBalancesProps {
  customer: Customer;
  entity: string;
  onClose: () => void;
}

/** What one entity of a customer has used of each feature, and what remains. */
export function EntityBalances({ customer, entity, onClose }: EntityBalancesProps) {
  const { query } = useWorkspace();
  const { data, error, isPending } = useQuery({
    queryKey: ['entitlements of', query, customer.id, entity],
    queryFn: () =>
      bodyOf(
        api.GET('/api/customers/{id}/entitlements', {
          params: { query: { ...query, entity }, path: { id: customer.id } },
        }),
      ),
  });
  return (
    <Dialog opened onClose={onClose} title={`What ${isolate(entity)} has used`} size="lg">
      {isPending && <Loading label="Loading the balances" size="sm" />}
      {error !== null && <ProblemPanel error={error} />}
      {data !== undefined && (
        <Table aria-label={`Balances of ${entity}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Feature</Table.Th>
              <Table.Th ta="right">Used</Table.Th>
              <Table.Th ta="right">Its quota</Table.Th>
              <Table.Th ta="right">May still use</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data
              .filter(({ kind }) => kind === 'metered')
              .map((entitlement) => (
                <Row key={entitlement.feature} entitlement={entitlement} />
              ))}
          </Table.Tbody>
        </Table>
      )}
    </Dialog>
  );
}

function Row({ entitlement }: { entitlement: CustomerEntitlement }) {
  const { name, entity, remaining, unlimited } = entitlement;
  const quota = entity?.quota ?? null;
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{name}</bdi>
      </Table.Td>
      <Table.Td ta="right">{formatQuantity(entity?.usage ?? 0)}</Table.Td>
      <Table.Td ta="right">{quota === null ? <Text size="sm">shared</Text> : formatQuantity(quota)}</Table.Td>
      <Table.Td ta="right">
        {unlimited || remaining === null ? 'no limit' : formatQuantity(remaining)}
      </Table.Td>
    </Table.Tr>
  );
}
