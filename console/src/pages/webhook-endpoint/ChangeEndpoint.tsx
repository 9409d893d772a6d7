import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { endpointBody, endpointForm } from '../webhook-endpoints/endpoint-form';
import { EndpointFields } from '../webhook-endpoints/EndpointFields';
import { ENDPOINT_VIEWS } from './queries';

/** Changes an endpoint's address, description and types. Unchanged members are not sent. */
export function ChangeEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm(endpointForm(endpoint));
  return (
    <FormDialog
      title="Change the endpoint"
      submit="Save"
      form={form}
      send={(values) => {
        const { url, description, types } = endpointBody(values);
        const body = {
          ...(form.isDirty('url') && { url }),
          ...(form.isDirty('description') && { description }),
          ...((form.isDirty('takes') || form.isDirty('types')) && { types }),
        };
        return bodyOf(
          api.PATCH('/api/webhook-endpoints/{id}', { params: { query, path: { id: endpoint.id } }, body }),
        );
      }}
      refresh={ENDPOINT_VIEWS}
      onClose={onClose}
    >
      <EndpointFields form={form} />
    </FormDialog>
  );
}
