import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { Dialog } from '../ui/Dialog';
import { isUnsaved } from './open-forms';

const leavesSomething: ShouldBlockFn = ({ current, next }) =>
  isUnsaved() &&
  (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search));

/** Asks before a page is left that something is typed in: here, and by the browser where the whole page goes. */
export function LeaveGuard() {
  const question = useBlocker({
    shouldBlockFn: leavesSomething,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  if (question.status !== 'blocked') return null;
  return (
    <Dialog opened onClose={question.reset} title="Leave without saving?" zIndex={450}>
      <Stack>
        <Text size="sm">What you have entered on this page is not saved. It is lost when you leave.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={question.proceed}>
            Leave
          </Button>
          <Button data-autofocus onClick={question.reset}>
            Stay
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
