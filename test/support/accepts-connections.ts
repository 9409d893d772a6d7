import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether something on this machine takes connections at a port now. */
export async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
