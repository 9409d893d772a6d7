import type { IncomingMessage, ServerResponse } from 'node:http';

/** Responses to requests whose callers hold their body back (`Expect: 100-continue`). */
const held = new WeakMap<IncomingMessage, ServerResponse>();

/** Sends 100 Continue only when the body is read: a request that is refused unread never sends its body. */
export function holdInvitation(request: IncomingMessage, response: ServerResponse): void {
  held.set(request, response);
}

/** Invites the body if its caller waits for that; called before a body is read. */
export function inviteBody(request: IncomingMessage): void {
  if (request.headers.expect === undefined) return;
  held.get(request)?.writeContinue();
  held.delete(request);
}
