import { Stack, Text } from '@mantine/core';
import type { WebhookEndpoint } from '../../api/resources';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';

const WHY_DISABLED: Record<NonNullable<WebhookEndpoint['disabledReason']>, string> = {
  operator: 'by an operator or a key',
  failing: 'automatically: no attempt had succeeded for a week',
  gone: 'automatically: it answered 410 Gone',
};

/** Shows whether an endpoint receives messages, and if not, since when and why. */
export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabledAt, disabledReason, failingSince } = endpoint;
  if (enabled && failingSince === null) return <StatusBadge status="enabled" />;
  return (
    <Stack gap={2} align="flex-start" miw={150}>
      <StatusBadge status={enabled ? 'failing' : 'disabled'} />
      <Text size="xs">
        {enabled ? (
          <>
            no attempt has succeeded since <Time at={failingSince} />
          </>
        ) : (
          <>
            since <Time at={disabledAt} />
            {disabledReason !== null && `, ${WHY_DISABLED[disabledReason]}`}
          </>
        )}
      </Text>
    </Stack>
  );
}
