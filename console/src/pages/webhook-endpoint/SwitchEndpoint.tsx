import { useState } from 'react';
import { api } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { ROLE_REASON } from './reasons';
import { ENDPOINT_VIEWS } from './queries';

/** Disables an endpoint, or enables it again, after explaining the effect. */
export function SwitchEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { query } = useWorkspace();
  const refusal = useEndpointRefusal();
  const { id, enabled } = endpoint;
  const verb = enabled ? 'Disable' : 'Enable';
  // What was asked for stays, even if it is done meanwhile: pressing again must not undo it.
  const [asked, setAsked] = useState<'Disable' | 'Enable'>();
  return (
    <>
      <ReasonedButton
        size="xs"
        variant="default"
        reason={refusal}
        saidBy={ROLE_REASON}
        onClick={() => setAsked(verb)}
      >
        {verb}
      </ReasonedButton>
      {asked !== undefined && (
        <ConfirmDialog
          title={`${asked} the endpoint`}
          submit={`${asked} it`}
          isDestructive={asked === 'Disable'}
          send={() =>
            api.PATCH('/api/webhook-endpoints/{id}', {
              params: { query, path: { id } },
              body: { enabled: asked === 'Enable' },
            })
          }
          refresh={ENDPOINT_VIEWS}
          onClose={() => setAsked(undefined)}
        >
          {asked === 'Disable'
            ? 'Nothing more is sent to it, and what is not delivered yet is cancelled. Once it is enabled again, what it missed in the last 30 days can be sent with Send again since a time.'
            : 'It receives events from now on. What it missed is not sent automatically: use Send again since a time.'}
        </ConfirmDialog>
      )}
    </>
  );
}
