import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { stepUpAfter } from '../../api/step-up';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { changesToSend } from '../../ui/merge-lists';
import { endpointBody, endpointForm } from '../webhook-endpoints/endpoint-form';
import { EndpointFields } from '../webhook-endpoints/EndpointFields';
import { ENDPOINT_VIEWS } from './queries';

/**
 * Changes an endpoint's address, description and types. Unchanged members are not sent, and types that others add
 * meanwhile stay.
 */
export function ChangeEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm(endpointForm(endpoint));
  return (
    <FormDialog
      title="Change the endpoint"
      submit="Save"
      form={form}
      send={async (values) => {
        const params = { query, path: { id: endpoint.id } };
        const before = endpointBody(form.getInitialValues());
        const changes = () =>
          changesToSend(before, endpointBody(values), async () => {
            const now = await bodyOf(api.GET('/api/webhook-endpoints/{id}', { params }));
            return endpointBody(endpointForm(now).initialValues);
          });
        const [body, middleware] = [await changes(), [stepUpAfter(changes)]];
        return bodyOf(api.PATCH('/api/webhook-endpoints/{id}', { params, body, middleware }));
      }}
      refresh={ENDPOINT_VIEWS}
      onClose={onClose}
    >
      <EndpointFields form={form} />
    </FormDialog>
  );
}
