import { Group, Stack, Text } from '@mantine/core';
import type { UsageCheck } from '../../api/resources';
import { formatCredits, formatQuantity } from '../../ui/quantity';
import { Sentence } from '../../ui/Sentence';
import { StatusBadge } from '../../ui/StatusBadge';
import { WorkspaceLink } from '../../ui/WorkspaceLink';

/** Result of a check: the decision, its reason, and the figures it is based on. */
export function CheckAnswer({ answer }: { answer: UsageCheck }) {
  const { allowed, reason, decisionId, quantity, usage, quota, unlimited, creditBalance, overage, entity } =
    answer;
  const limit = unlimited ? 'no limit' : quota === null ? 'no quota' : `a quota of ${formatQuantity(quota)}`;
  return (
    <Stack gap={4} role="status">
      <Group gap="sm">
        <StatusBadge status={allowed ? 'OK' : 'DENIED'} />
        <Text size="sm">
          <Sentence
            text={allowed ? `${formatQuantity(quantity)} may be used now.` : (reason?.message ?? 'Denied.')}
          />
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {formatQuantity(usage)} used, {limit}, {formatCredits(creditBalance)}
        {entity !== undefined && `, ${formatQuantity(entity.usage)} by this entity`}
        {overage.quantity > 0 && `, ${formatQuantity(overage.quantity)} would be overage`}.{' '}
        <WorkspaceLink path={`/decisions?id=${decisionId}`}>The decision</WorkspaceLink>
      </Text>
    </Stack>
  );
}
