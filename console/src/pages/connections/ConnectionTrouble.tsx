import { Alert, Stack } from '@mantine/core';
import type { Connection } from '../../api/resources';
import { checkName, missingForWebhooks } from './provider-fields';

/** Problems that keep an enabled connection from working. */
export function ConnectionTrouble({ connection }: { connection: Connection }) {
  if (connection.disabledAt !== null) return null;
  const missing = missingForWebhooks(connection);
  const { failedChecks } = connection;
  if (missing.length === 0 && failedChecks.length === 0) return null;
  return (
    <Stack gap="xs">
      {missing.length > 0 && (
        <Alert color="red" variant="light" title={`Fails closed: ${missing.join(', ')} missing`}>
          Webhooks cannot be verified, so all of them are refused. Use Edit to enter what is missing.
        </Alert>
      )}
      {failedChecks.length > 0 && (
        <Alert
          color="red"
          variant="light"
          title={`The last test failed: ${failedChecks.map(checkName).join(', ')}`}
        >
          Test the connection to see what is wrong.
        </Alert>
      )}
    </Stack>
  );
}
