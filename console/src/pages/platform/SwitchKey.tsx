import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { RowButton } from '../../ui/RowButton';
import { credentialsQuery } from './credentials-query';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

/** Makes another key the active one, after explaining the effect. */
export function SwitchKey({ keyId }: { keyId: string }) {
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const change = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/admin/provider-credentials/active-key', { body: { keyId } })),
    onSuccess: (report) => {
      queries.setQueryData(credentialsQuery.queryKey, report);
      close();
    },
  });
  return (
    <>
      <RowButton about={keyId} onClick={open}>
        Make active
      </RowButton>
      <Dialog
        isBusy={change.isPending}
        opened={isOpen}
        onClose={close}
        title={`Make ${keyId} the active key`}
      >
        <Stack>
          <Text size="sm">
            Secrets that are entered from now on are sealed under {keyId}. What is stored stays readable, and
            is pending until it is migrated. It is refused while a running process lacks the key.
          </Text>
          <DialogActions
            action={change}
            submit={`Make ${keyId} active`}
            onSubmit={() => change.mutate()}
            cancel="Leave it as it is"
            onCancel={close}
          />
        </Stack>
      </Dialog>
    </>
  );
}
