import { Text } from '@mantine/core';
import type { Money as MoneyValue } from '../api/resources';
import { formatMoney } from './money';

/** An amount of money. Figures in a column are aligned. */
export function Money({ value }: { value: MoneyValue | null }) {
  if (value === null) return <Text span>–</Text>;
  return (
    <Text span inherit ff="monospace" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {formatMoney(value)}
    </Text>
  );
}
