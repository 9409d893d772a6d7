import { Group, Stack, Text } from '@mantine/core';
import type { Decision } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { CheckAnswer } from './CheckAnswer';
import { useCheck } from './use-check';

/** Runs the same check now, to show what would be decided. */
export function DecideNow({ decision }: { decision: Decision }) {
  const refusal = useRefusal('developer');
  const check = useCheck();
  const { customerId, feature, quantity, entity } = decision;
  const question = { customerId, feature, quantity, ...(entity !== null && { entity: entity.id }) };
  return (
    <Panel title="What would be decided now">
      <Stack gap="sm">
        <Group gap="sm" align="flex-start">
          <ReasonedButton
            size="xs"
            variant="default"
            reason={refusal}
            loading={check.isPending}
            onClick={() => check.mutate(question)}
          >
            Check again
          </ReasonedButton>
          <Text size="sm" c="dimmed" maw={480}>
            Repeats the question with the current plan, usage and credits. It is a real check, and is recorded
            as one.
          </Text>
        </Group>
        {check.isError && <ProblemPanel error={check.error} />}
        {check.data !== undefined && <CheckAnswer answer={check.data} />}
      </Stack>
    </Panel>
  );
}
