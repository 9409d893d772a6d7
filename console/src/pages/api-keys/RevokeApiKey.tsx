import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';

interface RevokeApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  onClose: () => void;
}

/** Revokes a key, after its name was typed. */
export function RevokeApiKey({ apiKey: { id, name }, onClose }: RevokeApiKeyProps) {
  const { query } = useWorkspace();
  return (
    <ConfirmDialog
      title={`Revoke ${isolate(name)}`}
      submit="Revoke the key"
      isDestructive
      typed={name}
      send={() => api.POST('/api/api-keys/{id}/revoke', { params: { query, path: { id } } })}
      refresh={[['api-keys']]}
      onClose={onClose}
    >
      Requests with this key are refused within five seconds, and it never works again.
    </ConfirmDialog>
  );
}
