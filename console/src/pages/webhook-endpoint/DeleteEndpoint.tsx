import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { ROLE_REASON } from './reasons';

/** Deletes an endpoint, after its host was typed. */
export function DeleteEndpoint({ endpoint: { id, url } }: { endpoint: WebhookEndpoint }) {
  const { base, query } = useWorkspace();
  const navigate = useNavigate();
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
          send={async () => {
            const { pathname } = window.location;
            await api.DELETE('/api/webhook-endpoints/{id}', { params: { query, path: { id } } });
            // The user may have left this page in the meantime.
            if (window.location.pathname !== pathname) return;
            // Before the lists are refreshed, or this page would request the deleted endpoint. Replaced, because Back
            // would lead to it.
            await navigate({ to: `${base}/developer/webhooks`, replace: true, ignoreBlocker: true });
          }}
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
