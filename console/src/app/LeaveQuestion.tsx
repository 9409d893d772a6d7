import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../ui/Dialog';
import { lossByLeaving, type Loss } from './open-forms';

interface LeaveQuestionProps {
  /** Label of the button that leaves, such as `Sign out`. */
  leave: string;
  onLeave: () => void;
  onStay: () => void;
}

const WORDS: Record<Loss, { title: string; effect: string }> = {
  input: {
    title: 'without saving?',
    effect: 'Your changes on this page are not saved. They are lost if you leave.',
  },
  outcome: {
    title: 'before the answer?',
    effect:
      'A request of this page is not answered yet. If you leave, it may still be carried out, and its outcome is not shown.',
  },
};

/** Asks for confirmation before input, or the outcome of a request, is lost. */
export function LeaveQuestion({ leave, onLeave, onStay }: LeaveQuestionProps) {
  const [loss] = useState(() => lossByLeaving() ?? 'input');
  const { title, effect } = WORDS[loss];
  return (
    <Dialog opened onClose={onStay} title={`${leave} ${title}`} zIndex={450}>
      <Stack>
        <Text size="sm">{effect}</Text>
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
