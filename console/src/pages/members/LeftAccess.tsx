import { Button, Group, Stack, Text } from '@mantine/core';
import type { AccessGrant, Member } from '../../api/resources';
import { Dialog } from '../../ui/Dialog';
import { isolate } from '../../ui/isolate';
import { GrantList } from './GrantList';

interface LeftAccessProps {
  member: Member;
  grants: AccessGrant[];
  onClose: () => void;
}

/** Shows what a removed member made that keeps working. */
export function LeftAccess({ member: { name }, grants, onClose }: LeftAccessProps) {
  const title = `What ${isolate(name)} leaves behind`;
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack>
        <Text size="sm">
          <bdi>{name}</bdi> is removed. What they made keeps working: decide about each. Until then, it is on
          this page under Access to review.
        </Text>
        <GrantList label={title} grants={grants} onFollow={onClose} />
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
