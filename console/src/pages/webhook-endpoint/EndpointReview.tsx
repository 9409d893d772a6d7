import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { accessReviewQuery } from '../members/access-review';
import { ConfirmAddress } from './ConfirmAddress';

/** Says whether a former member chose the endpoint's address or knows its secret, and what to do. For admins. */
export function EndpointReview({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { organizationId } = useWorkspace();
  const refusal = useRefusal('admin');
  const { data: review } = useQuery({ ...accessReviewQuery(organizationId), enabled: refusal === null });
  const [isConfirming, { open, close }] = useDisclosure(false);
  const grants = review?.data.filter(({ id }) => id === endpoint.id) ?? [];
  const makers = (part: string) => grants.filter(({ parts }) => parts?.includes(part));
  const [ofAddress] = makers('address');
  const [ofSecret] = makers('secret');
  const isListed = ofAddress !== undefined || ofSecret !== undefined;
  return (
    <>
      {isListed && (
        <Alert color="yellow" variant="light" title="Access to review" mb="md">
          <Stack gap="xs" align="flex-start">
            {ofAddress !== undefined && (
              <>
                <Text size="sm">
                  <bdi>{ofAddress.madeByName}</bdi>, a former member, entered the address. Check who owns it.
                  Confirm it if it is yours; otherwise change it, or delete the endpoint.
                </Text>
                <Button size="xs" variant="default" onClick={open}>
                  Confirm the address
                </Button>
              </>
            )}
            {ofSecret !== undefined && (
              <Text size="sm">
                <bdi>{ofSecret.madeByName}</bdi>, a former member, knows the signing secret. Roll the secret.
              </Text>
            )}
          </Stack>
        </Alert>
      )}
      {isConfirming && <ConfirmAddress endpoint={endpoint} onClose={close} />}
    </>
  );
}
