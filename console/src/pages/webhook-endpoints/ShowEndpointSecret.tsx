import { Code } from '@mantine/core';
import { ShownOnce } from '../../ui/ShownOnce';

/** Shows a new signing secret, the only time it is shown. */
export function ShowEndpointSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="The signing secret, shown once"
      secret={secret}
      whenLost="If it is lost, roll it: a new secret replaces it."
      file={{ name: 'tollgate-webhooks.env', text: `TOLLGATE_WEBHOOK_SECRET=${secret}\n` }}
      confirmation="I have stored the secret"
      onClose={onClose}
    >
      The receiver verifies the header <Code>webhook-signature</Code> with it, with any library of Standard
      Webhooks.
    </ShownOnce>
  );
}
