import { Badge, Group } from '@mantine/core';
import type { UsageEvent } from '../../api/resources';
import { formatQuantity } from '../../ui/quantity';

/** Badges of a use that is late, or of which all or a part was reversed. */
export function UseMarks({ use: { late, quantity, reversal } }: { use: UsageEvent }) {
  const marks = [
    ...(late ? [{ color: 'yellow', text: 'late' }] : []),
    ...(reversal === null
      ? []
      : [
          {
            color: 'gray',
            text:
              reversal.quantity === quantity ? 'reversed' : `${formatQuantity(reversal.quantity)} reversed`,
          },
        ]),
  ];
  if (marks.length === 0) return null;
  return (
    <Group gap={4}>
      {marks.map(({ color, text }) => (
        <Badge
          key={text}
          variant="light"
          color={color}
          c="var(--mantine-color-text)"
          tt="none"
          radius="sm"
          size="sm"
          miw="max-content"
        >
          {text}
        </Badge>
      ))}
    </Group>
  );
}
