import { Stack, Text } from '@mantine/core';
import type { components } from '../../api/schema';
import { Money } from '../../ui/Money';

/** Lines of a transaction: those of a period, or the two sides of a change. */
export function ProrationSides({ transaction }: { transaction: components['schemas']['Transaction'] }) {
  return (
    <Stack gap={0}>
      {transaction.lines.map(({ description, amount }) => (
        <Text size="xs" key={`${description} ${amount.amount}`}>
          <Money value={amount} /> <bdi>{description}</bdi>
        </Text>
      ))}
    </Stack>
  );
}
