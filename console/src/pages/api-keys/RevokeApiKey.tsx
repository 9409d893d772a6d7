import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { keyInWords } from './key-in-words';

interface RevokeApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  onClose: () => void;
}

/** Revokes a key, after its name was typed. */
export function RevokeApiKey({ apiKey, onClose }: RevokeApiKeyProps) {
  const { query } = useWorkspace();
  const { id, name } = apiKey;
  return (
    <ConfirmDialog
      title={`Revoke ${keyInWords(apiKey)}`}
      submit="Revoke the key"
      isDestructive
      typed={name}
      send={() => api.POST('/api/api-keys/{id}/revoke', { params: { query, path: { id } } })}
      refresh={[['api-keys'], ['access-review']]}
      onClose={onClose}
    >
      Requests with this key are refused within five seconds, and it never works again.
    </ConfirmDialog>
  );
}
