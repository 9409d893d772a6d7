import { Client, type ClientConfig } from 'pg';
import { isError } from './failure';

const unreadable = new WeakMap<Client, Error>();

type ConnectCallback = (error: Error) => void;

/**
 * The client of `pg`'s pools. A client reads the certificates of its address when it is constructed. If a connection of
 * a full pool is lost, pg-pool 3.14 constructs the next client in an event of the lost socket, where a file that cannot
 * be read would end the process. This client reports it when it connects.
 */
export class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    try {
      super(config);
    } catch (error) {
      super();
      unreadable.set(this, isError(error) ? error : new Error(String(error)));
    }
  }

  override connect(): Promise<Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<Client> | void {
    const failure = unreadable.get(this);
    if (callback === undefined) return failure === undefined ? super.connect() : Promise.reject(failure);
    if (failure === undefined) super.connect(callback);
    else process.nextTick(callback, failure);
    return undefined;
  }
}
