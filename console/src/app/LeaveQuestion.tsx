import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../ui/Dialog';

interface LeaveQuestionProps {
  title: string;
  /** Label of the button that discards the input. */
  leave: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks for confirmation before input is lost. */
export function LeaveQuestion({ title, leave, onLeave, onStay }: LeaveQuestionProps) {
  return (
    <Dialog opened onClose={onStay} title={title} zIndex={450}>
      <Stack>
        <Text size="sm">Your changes on this page are not saved. They are lost if you leave.</Text>
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
