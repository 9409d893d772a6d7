import { Stack, Text } from '@mantine/core';
import type { components } from '../../api/schema';
import { taxIn } from '../../../../src/domain/contained-tax.ts';
import { Money } from '../../ui/Money';

/** Lines of a transaction, those of a period or the two sides of a change, and their tax. */
export function ProrationSides({ transaction }: { transaction: components['schemas']['Transaction'] }) {
  const { lines, taxAmount, total } = transaction;
  const amounts = lines.map(({ amount }) => amount);
  const taxed = taxIn(amounts, taxAmount, total);
  return (
    <Stack gap={0}>
      {lines.map(({ description, amount }) => (
        <Text size="xs" key={`${description} ${amount.amount}`}>
          <Money value={amount} /> <bdi>{description}</bdi>
        </Text>
      ))}
      {taxed !== 'none' && (
        <Text size="xs">
          <Money value={taxAmount} /> {taxed === 'contained' ? 'of tax, included' : 'of tax'}
        </Text>
      )}
    </Stack>
  );
}
