import { Anchor } from '@mantine/core';
import { config } from '../../api/config';
import type { Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';

/** Link to the subscription's workflow in the Temporal UI; empty if no UI is configured. */
export function WorkflowLink({ subscription }: { subscription: Subscription }) {
  const { env } = useWorkspace();
  if (config.temporal === null) return null;
  const { uiUrl, namespace } = config.temporal;
  const workflow = encodeURIComponent(`subscription/${env}/${subscription.id}`);
  return (
    <Anchor
      size="sm"
      href={`${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${workflow}`}
      target="_blank"
      rel="noreferrer"
    >
      Open in Temporal
    </Anchor>
  );
}
