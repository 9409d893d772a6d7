import { Drawer, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { wordOf } from '../../app/search-params';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { useUppermost } from '../../ui/uppermost';
import { Payload } from '../webhook-endpoint/Payload';

/** The message named in the address, whether or not it was sent to an endpoint. */
export function MessageDrawer() {
  const messageId = wordOf(useSearch({ strict: false }), 'message') ?? '';
  const navigate = useNavigate();
  const isUppermost = useUppermost(messageId !== '');
  return (
    <Drawer
      opened={messageId !== ''}
      onClose={() => void navigate({ to: '.', search: {}, replace: true })}
      closeOnEscape={isUppermost}
      position="right"
      size="lg"
      title="Message"
    >
      {messageId !== '' && (
        <Stack>
          <Facts facts={[['Id', <Id key="id" value={messageId} />]]} />
          <Payload messageId={messageId} />
        </Stack>
      )}
    </Drawer>
  );
}
