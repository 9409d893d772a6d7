import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { OFFER_RULES, OfferFields, type OfferValues } from '../../ui/OfferFields';
import { sayRunning } from '../../ui/say-running';

/**
 * Creates a subscription with local billing. At a payment provider, a subscription starts with a checkout that the
 * customer pays.
 */
export function CreateSubscription({ onClose }: { onClose: () => void }) {
  const { organization, env, query } = useWorkspace();
  const navigate = useNavigate();
  const [intent] = useState(() => new Intent());
  const form = useForm<OfferValues>({
    initialValues: { externalId: '', planId: '', seats: 1 },
    validate: OFFER_RULES,
  });
  return (
    <FormDialog
      title="New subscription, local billing"
      submit="Start subscription"
      form={form}
      send={({ externalId, planId, seats }) =>
        runCommand(
          query,
          intent,
          { externalId: externalId.trim(), planId, seats: Number(seats), metadata: {} },
          (key, body) =>
            api.POST('/api/billing/subscriptions', {
              params: { query, header: { 'Idempotency-Key': key } },
              body,
            }),
        )
      }
      refresh={[['subscriptions']]}
      onClose={onClose}
      onAnswer={sayRunning}
      onDone={(result) => {
        if (result.kind === 'running') return;
        const { id } = result.body as Subscription;
        const params = { organization: organization.slug, environment: env, id };
        void navigate({ to: '/o/$organization/$environment/subscriptions/$id', params });
      }}
    >
      <OfferFields field={form.getInputProps} />
    </FormDialog>
  );
}
