import { Alert, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Member } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { Time } from '../../ui/Time';
import { CloseOnceKept } from '../../ui/CloseOnceKept';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';
import { CopyableLink } from './CopyableLink';

/**
 * Creates a link with which a member who lost their device or password regains access. It is shown once, so the dialog
 * closes once the operator confirms that it is passed on.
 */
export function ResetMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { organizationId: id } = useWorkspace();
  const issue = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/organizations/{id}/members/{operatorId}/reset-link', {
          params: { path: { id, operatorId: member.id } },
        }),
      ),
    // The answer contains the link.
    gcTime: 0,
  });
  const [isPassedOn, setPassedOn] = useState(false);
  const isShown = issue.data !== undefined;
  const isNeeded = isShown && !isPassedOn;
  const leave = () => {
    if (!isNeeded) onClose();
  };
  return (
    <Dialog
      isBusy={issue.isPending}
      isTyped={isNeeded}
      withCloseButton={!isShown}
      opened
      onClose={leave}
      title={`Reset ${isolate(member.name)}`}
    >
      <Stack>
        {issue.data === undefined ? (
          <Text size="sm">
            Makes a link for {member.email}, who lost their device or password. The person who opens it sets a
            new password; the second factor and all sessions of the account end. It works once, for 24 hours,
            and replaces an earlier one.
          </Text>
        ) : (
          <Alert
            color="yellow"
            variant="light"
            title={`Pass this link on to ${issue.data.email}: it is shown once`}
          >
            <Stack gap="sm" align="flex-start">
              <Text size="sm">
                Make sure that the request comes from them. The link expires{' '}
                <Time at={issue.data.expiresAt} />.
              </Text>
              <CopyableLink link={issue.data.link} isFocused />
            </Stack>
          </Alert>
        )}
        {isShown ? (
          <CloseOnceKept
            confirmation="I have passed the link on"
            isKept={isPassedOn}
            onKept={setPassedOn}
            onClose={leave}
          />
        ) : (
          <DialogActions
            action={issue}
            submit="Make the link"
            onSubmit={() => issue.mutate()}
            onCancel={leave}
          />
        )}
      </Stack>
    </Dialog>
  );
}
