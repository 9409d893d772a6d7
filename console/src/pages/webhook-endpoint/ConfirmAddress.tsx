import { Code } from '@mantine/core';
import { api, bodyOf } from '../../api/client';
import { ProblemError } from '../../api/problem';
import type { WebhookEndpoint } from '../../api/resources';
import { stepUpAfter } from '../../api/step-up';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ENDPOINT_VIEWS } from './queries';

interface ConfirmAddressProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** Submits an endpoint's address again, unchanged: from then on the operator is the one who chose it. */
export function ConfirmAddress({ endpoint: { id, url }, onClose }: ConfirmAddressProps) {
  const { query } = useWorkspace();
  const params = { query, path: { id } };
  const check = async () => {
    const now = await bodyOf(api.GET('/api/webhook-endpoints/{id}', { params }));
    if (now.url !== url) throw changedMeanwhile();
  };
  return (
    <ConfirmDialog
      title="Confirm the address"
      submit="Confirm the address"
      send={async () => {
        await check();
        const middleware = [stepUpAfter(check)];
        await api.PATCH('/api/webhook-endpoints/{id}', { params, body: { url }, middleware });
      }}
      refresh={ENDPOINT_VIEWS}
      onClose={onClose}
    >
      The messages are sent to <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>. Confirm it only if it
      is an address of your organization. It does not change; the audit records show that you confirmed it.
    </ConfirmDialog>
  );
}

/** Sending the address that the page showed would undo the change. */
function changedMeanwhile(): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'The address was changed meanwhile',
    status: 409,
    detail: 'Somebody else has changed the address since this page was read. Nothing was confirmed.',
    code: 'page_outdated',
    fix: 'Check the new address, and confirm that one.',
    requestId: '',
  });
}
