import { Group, List, Progress, Text, ThemeIcon } from '@mantine/core';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { useSetupSteps } from './use-setup-steps';

/**
 * Steps from an empty workspace to the first recorded use, in the specification's order. Ticks reflect the actual
 * state.
 */
export function GetStarted() {
  const { steps, isPending, error } = useSetupSteps();
  if (error !== null) return <ProblemPanel error={error} />;
  if (isPending) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel title="Get started" actions={<Text size="sm">{`${done} of ${steps.length} done`}</Text>}>
      <Progress
        value={(100 * done) / steps.length}
        mb="md"
        aria-label={`${done} of ${steps.length} steps are done`}
      />
      <List spacing="xs" listStyleType="none" type="ordered">
        {steps.map((step, index) => (
          <List.Item key={step.title}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <ThemeIcon size={22} radius="xl" variant={step.isDone ? 'filled' : 'default'} aria-hidden>
                <Text size="xs">{step.isDone ? '✓' : index + 1}</Text>
              </ThemeIcon>
              <div>
                {step.path === null || step.isDone ? (
                  <Text size="sm" fw={step === next ? 700 : 400}>
                    {step.title}
                    {step.isDone && (
                      <Text span size="xs" c="dimmed">
                        {' '}
                        done
                      </Text>
                    )}
                  </Text>
                ) : (
                  <WorkspaceLink path={step.path} size="sm" fw={step === next ? 700 : 400}>
                    {step.title}
                  </WorkspaceLink>
                )}
                {step === next && (
                  <Text size="sm" c="dimmed">
                    {step.about}
                  </Text>
                )}
              </div>
            </Group>
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}
