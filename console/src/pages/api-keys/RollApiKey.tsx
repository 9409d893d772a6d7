import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { DAY_HOURS } from '../../ui/OverlapHours';
import { RollDialog } from '../../ui/RollDialog';
import { keyInWords } from './key-in-words';
import { ShowSecret } from './ShowSecret';

interface RollApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  onClose: () => void;
}

/** Replaces a key by one with the same rights, while both work for some time. */
export function RollApiKey({ apiKey, onClose }: RollApiKeyProps) {
  const { query } = useWorkspace();
  return (
    <RollDialog
      title={`Roll ${keyInWords(apiKey)}`}
      label="Hours the old key keeps working"
      most={30 * DAY_HOURS}
      submit="Make the new key"
      roll={(overlapHours) =>
        bodyOf(
          api.POST('/api/api-keys/{id}/roll', {
            params: { query, path: { id: apiKey.id } },
            body: { overlapHours },
          }),
        )
      }
      refresh={[['api-keys'], ['access-review']]}
      show={(secret) => <ShowSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      A new key with the same name, scopes and expiry replaces it. The old one keeps working for this time, so
      that your servers can switch one by one.
    </RollDialog>
  );
}
