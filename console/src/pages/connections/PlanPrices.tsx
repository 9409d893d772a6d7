import { Table, Text } from '@mantine/core';
import type { PlanPrice } from '../../api/resources';
import { Id } from '../../ui/Id';
import { formatMoney } from '../../ui/money';

const RESULTS: Record<PlanPrice['result'], string> = {
  equal: '✓ Equal',
  differs: '✗ Differs: not sold there until the prices match',
  unverifiable: '– Not compared: nothing is blocked',
};

/** Each plan's price here and at the provider, with differing ones first. */
export function PlanPrices({ prices }: { prices: PlanPrice[] }) {
  if (prices.length === 0) return null;
  const rank = ({ result }: PlanPrice) =>
    Object.keys(RESULTS).indexOf(result === 'equal' ? 'unverifiable' : result);
  const sorted = [...prices].sort((one, other) => rank(one) - rank(other));
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label="Plan prices here and at the provider" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Plan</Table.Th>
            <Table.Th>Reference</Table.Th>
            <Table.Th ta="right">Here</Table.Th>
            <Table.Th ta="right">At the provider</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map(({ plan, planReference, local, provider, result, words }) => (
            <Table.Tr key={`${plan.id} ${planReference}`}>
              <Table.Th scope="row">{plan.slug}</Table.Th>
              <Table.Td>
                <Id value={planReference} />
              </Table.Td>
              <Table.Td ta="right">{priceInWords(local)}</Table.Td>
              <Table.Td ta="right">{priceInWords(provider)}</Table.Td>
              <Table.Td>
                {RESULTS[result]}
                {words !== null && (
                  <Text size="xs" c="dimmed">
                    {words}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function priceInWords(side: PlanPrice['local'] | null): string {
  if (side === null || side.amount === null || side.currency === null) return 'not stated';
  const { amount, currency, interval, intervalCount, pricing } = side;
  const every =
    interval === null
      ? ''
      : intervalCount === null || intervalCount === 1
        ? `/${interval}`
        : `/${intervalCount} ${interval}s`;
  return `${formatMoney({ amount, currency })}${every}${pricing === 'per_seat' ? ', a seat' : ''}`;
}
