import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../ui/Dialog';

interface LeaveQuestionProps {
  title: string;
  /** What the button does that loses it. */
  leave: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before something that was typed is lost. */
export function LeaveQuestion({ title, leave, onLeave, onStay }: LeaveQuestionProps) {
  return (
    <Dialog opened onClose={onStay} title={title} zIndex={450}>
      <Stack>
        <Text size="sm">What you have entered on this page is not saved. It is lost when you leave.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onLeave}>
            {leave}
          </Button>
          <Button data-autofocus onClick={onStay}>
            Stay
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
