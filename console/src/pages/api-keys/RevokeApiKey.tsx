import { useDisclosure } from '@mantine/hooks';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import { RowButton } from '../../ui/RowButton';

interface RevokeApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  /** Why the operator may not do this; null if they may. */
  refusal: string | null;
}

/** Revokes a key, after its name was typed. */
export function RevokeApiKey({ apiKey: { id, name, lastFour }, refusal }: RevokeApiKeyProps) {
  const { query } = useWorkspace();
  const [isOpen, { open, close }] = useDisclosure(false);
  if (refusal !== null) return null;
  return (
    <>
      <RowButton about={`${isolate(name)}, ending in ${lastFour}`} onClick={open}>
        Revoke
      </RowButton>
      {isOpen && (
        <ConfirmDialog
          title={`Revoke ${isolate(name)}`}
          submit="Revoke the key"
          isDestructive
          typed={name}
          send={() => api.POST('/api/api-keys/{id}/revoke', { params: { query, path: { id } } })}
          refresh={[['api-keys']]}
          onClose={close}
        >
          Requests with this key are refused within five seconds, and it never works again.
        </ConfirmDialog>
      )}
    </>
  );
}
