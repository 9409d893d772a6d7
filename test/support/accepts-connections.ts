import { once } from 'node:events';
import { connect } from 'node:net';

/** Reports whether a port of this machine accepts connections now. */
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
