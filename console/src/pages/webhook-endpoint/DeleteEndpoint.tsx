import { useDisclosure } from '@mantine/hooks';
import { api } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useLeaveDeleted } from '../../app/use-leave-deleted';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { ROLE_REASON } from './reasons';

/** Deletes an endpoint, after its host was typed. */
export function DeleteEndpoint({ endpoint: { id, url } }: { endpoint: WebhookEndpoint }) {
  const { query } = useWorkspace();
  const leaveDeleted = useLeaveDeleted('/developer/webhooks');
  const refusal = useEndpointRefusal();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Delete">
      <ReasonedButton
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        reason={refusal}
        saidBy={ROLE_REASON}
        hint="Deletes its secret and its log. This cannot be undone; disabling can."
        onClick={open}
      >
        Delete the endpoint
      </ReasonedButton>
      {isOpen && (
        <ConfirmDialog
          title="Delete the endpoint"
          submit="Delete the endpoint"
          isDestructive
          typed={new URL(url).host}
          send={() =>
            leaveDeleted(() => api.DELETE('/api/webhook-endpoints/{id}', { params: { query, path: { id } } }))
          }
          refresh={[['webhook-endpoints'], ['access-review']]}
          onClose={close}
        >
          Nothing more is sent to it. Its secret, its deliveries and their attempts are deleted. This cannot
          be undone.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
