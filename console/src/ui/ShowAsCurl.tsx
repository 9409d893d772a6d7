import { Button, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { onRequests, recentRequests, type RecentRequest } from '../api/recent-requests';
import { CopyText } from './CopyText';
import { Dialog } from './Dialog';
import classes from './ShowAsCurl.module.css';

/** The requests made by this page, for use in a shell. */
export function ShowAsCurl() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const requests = useSyncExternalStore(onRequests, recentRequests);
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Show as curl
      </Button>
      <Dialog opened={isOpen} onClose={close} title="The requests of this page, as curl" size="xl">
        <Stack>
          <Text size="sm" c="dimmed">
            Set <code>TOLLGATE_SESSION</code> to the value of the session’s cookie, and keep it as secret as a
            password: it is your session.
          </Text>
          {requests.length === 0 && <Text size="sm">This page has made no request.</Text>}
          {requests.map((request) => (
            <Command key={`${request.method} ${request.url}`} command={asCurl(request)} />
          ))}
        </Stack>
      </Dialog>
    </>
  );
}

function Command({ command }: { command: string }) {
  return (
    <div className={classes.command}>
      <ScrollArea.Autosize mah={180} type="auto">
        <pre tabIndex={0}>{command}</pre>
      </ScrollArea.Autosize>
      <Stack gap={4} align="flex-end" maw={140}>
        <CopyText value={command} size="compact-xs" variant="default" />
      </Stack>
    </div>
  );
}

/** Quotes text for a shell, which interprets only the quote itself within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function asCurl({ method, url, key, body }: RecentRequest): string {
  const cookie = url.startsWith('https:') ? '__Host-tollgate_session' : 'tollgate_session';
  const lines = [`curl ${quoted(url)}`, `  --cookie "${cookie}=$TOLLGATE_SESSION"`];
  if (method !== 'GET')
    lines.splice(1, 0, `  --request ${method}`, `  --header 'Origin: ${new URL(url).origin}'`);
  if (key !== null) lines.push(`  --header ${quoted(`Idempotency-Key: ${key}`)}`);
  if (body !== null && body !== '')
    lines.push("  --header 'Content-Type: application/json'", `  --data-raw ${quoted(body)}`);
  return lines.join(' \\\n');
}
