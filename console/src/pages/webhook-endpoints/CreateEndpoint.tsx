import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
import { environmentInWords } from '../../../../src/domain/environment.ts';
import { useWorkspace } from '../../app/workspace';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { endpointBody, endpointForm, type EndpointValues } from './endpoint-form';
import { EndpointFields } from './EndpointFields';
import { ShowEndpointSecret } from './ShowEndpointSecret';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

/** Creates an endpoint, and shows its secret once. */
export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const { env, query } = useWorkspace();
  const queries = useQueryClient();
  const form = useForm(endpointForm(null));
  const create = useMutation({
    mutationFn: (values: EndpointValues) =>
      bodyOf(api.POST('/api/webhook-endpoints', { params: { query }, body: endpointBody(values) })),
    // Not awaited: the secret is shown at once, however long the list takes.
    onSuccess: () => void invalidate(queries, [['webhook-endpoints']]),
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      refreshIfOutdated(queries, error, [['webhook-endpoints']]);
    },
    // The answer contains the secret, which must not be kept once the dialog closes.
    gcTime: 0,
  });
  const secret = create.data?.secret;
  if (secret !== undefined) return <ShowEndpointSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog
      isBusy={create.isPending}
      isTyped={form.isDirty()}
      opened
      onClose={onClose}
      title={`New webhook endpoint of ${environmentInWords(env)}`}
      size="lg"
    >
      <Form form={form} onSubmit={(values) => create.mutate(values)} refused={create.error}>
        <Stack>
          <EndpointFields form={form} />
          <DialogActions action={create} submit="Create endpoint" onCancel={onClose} />
        </Stack>
      </Form>
    </Dialog>
  );
}
