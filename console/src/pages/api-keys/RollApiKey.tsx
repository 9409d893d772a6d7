import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { DAY_HOURS } from '../../ui/OverlapHours';
import { RollDialog } from '../../ui/RollDialog';
import { RowButton } from '../../ui/RowButton';
import { hasExpired } from './has-expired';
import { ShowSecret } from './ShowSecret';

interface RollApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  /** Why the operator may not do this; null if they may. */
  refusal: string | null;
}

/** Replaces a key by one with the same rights, while both work for some time. An expired key cannot be replaced. */
export function RollApiKey({ apiKey, refusal }: RollApiKeyProps) {
  const { query } = useWorkspace();
  const [isOpen, { open, close }] = useDisclosure(false);
  // The dialog shows the new key once, so it stays open even if the replaced key ends at once.
  if (refusal !== null || (hasExpired(apiKey) && !isOpen)) return null;
  return (
    <>
      <RowButton about={`${isolate(apiKey.name)}, ending in ${apiKey.lastFour}`} onClick={open}>
        Roll
      </RowButton>
      {isOpen && (
        <RollDialog
          title={`Roll ${isolate(apiKey.name)}`}
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
          refresh={['api-keys']}
          show={(secret) => <ShowSecret secret={secret} onClose={close} />}
          onClose={close}
        >
          A new key with the same name, scopes and expiry replaces it. The old one keeps working for this
          time, so that your servers can switch one by one.
        </RollDialog>
      )}
    </>
  );
}
