import { useDisclosure } from '@mantine/hooks';
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
  const [isOpen, { open, close }] = useDisclosure(false);
  const { id, enabled } = endpoint;
  const verb = enabled ? 'Disable' : 'Enable';
  return (
    <>
      <ReasonedButton size="xs" variant="default" reason={refusal} saidBy={ROLE_REASON} onClick={open}>
        {verb}
      </ReasonedButton>
      {isOpen && (
        <ConfirmDialog
          title={`${verb} the endpoint`}
          submit={`${verb} it`}
          isDestructive={enabled}
          send={() =>
            api.PATCH('/api/webhook-endpoints/{id}', {
              params: { query, path: { id } },
              body: { enabled: !enabled },
            })
          }
          refresh={ENDPOINT_VIEWS}
          onClose={close}
        >
          {enabled
            ? 'Nothing more is sent to it, and what is not delivered yet is cancelled. Once it is enabled again, what it missed in the last 30 days can be sent with Send again since a time.'
            : 'It receives events from now on. What it missed is not sent automatically: use Send again since a time.'}
        </ConfirmDialog>
      )}
    </>
  );
}
