import { api, bodyOf } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { DAY_HOURS } from '../../ui/OverlapHours';
import { RollDialog } from '../../ui/RollDialog';
import { ShowEndpointSecret } from '../webhook-endpoints/ShowEndpointSecret';

/** Replaces the secret. Messages are signed with both for some time. */
export function RollSecret({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { query } = useWorkspace();
  return (
    <RollDialog
      title="Roll the signing secret"
      label="Hours the old secret keeps signing"
      most={7 * DAY_HOURS}
      submit="Make the new secret"
      roll={(overlapHours) =>
        bodyOf(
          api.POST('/api/webhook-endpoints/{id}/roll', {
            params: { query, path: { id: endpoint.id } },
            body: { overlapHours },
          }),
        )
      }
      refresh={[['webhook-endpoint'], ['access-review']]}
      show={(secret) => <ShowEndpointSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      A new secret replaces this one. For this time each message carries both signatures, so that your
      receivers can switch one by one.
      {endpoint.previousSecretUntil !== null && ' Those of before sign until their own time, too.'} With 0
      hours only the new one signs, immediately.
    </RollDialog>
  );
}
