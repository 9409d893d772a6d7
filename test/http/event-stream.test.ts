import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { EventSink } from '../../src/events/event-listener';
import type { StreamHub } from '../../src/events/stream-hub';
import { openEventStream } from '../../src/http/event-stream';

const position = { transactionId: '1', sequence: '1' };

test('a reader that takes nothing is cut off after the end of its stream, to which nothing is written', async () => {
  let sink: EventSink<unknown> | undefined;
  const places = { taken: 0 };
  const hub: Pick<StreamHub<unknown>, 'enter' | 'listen'> = {
    enter: () => {
      places.taken += 1;
      return () => {
        places.taken -= 1;
      };
    },
    listen: (_scope, _start, opened) => {
      sink = opened;
      return () => undefined;
    },
  };
  const opened = new Promise<ServerResponse>((resolve) => {
    const server = createServer((request, response) => {
      const listener = {
        scope: { workspaceId: 'org_test', environment: 'sandbox' },
        callerId: 'opr_test',
        start: { position, gap: false },
        authorization: { openedBy: 'ses_test', isAllowed: () => Promise.resolve(true) },
      } as const;
      void openEventStream(hub as StreamHub<unknown>, listener, request, response).then(() => {
        server.close();
        resolve(response);
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
      reader.on('error', () => undefined).pause();
      reader.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
  });
  const response = await opened;
  const errors: unknown[] = [];
  response.on('error', (error) => errors.push(error));
  while (response.writableLength < 20_000_000) sink?.event({ text: 'x'.repeat(1_000_000) }, position);
  const closed = once(response, 'close');
  sink?.end('session_ended');
  sink?.event({}, position);
  await closed;
  expect(errors).toEqual([]);
  expect(places.taken).toBe(0);
});
