import { Client } from 'pg';

type Callback = (error: Error | null, result?: unknown) => void;
type Query = (this: unknown, config: unknown, callback?: unknown) => unknown;

/** Makes one statement fail on the connections that receive webhooks: the n-th after `arm`. */
export class FailingStatements {
  private readonly original = Reflect.get(Client.prototype, 'query') as unknown as Query;
  private count = 0;
  private failAt = 0;
  /** Statements executed since `arm`. */
  statements: string[] = [];

  install(): void {
    const { original } = this;
    const intercept = (text: string): boolean => this.fails(text);
    const patched: Query = function (config, callback) {
      const text = textOf(config);
      if (text === undefined || typeof callback !== 'function' || !isOfWebhooks(this)) {
        return original.call(this, config, callback);
      }
      if (!intercept(text)) return original.call(this, config, callback);
      const failure = new Error('This statement was made to fail.');
      const fail = (): void => {
        (callback as Callback)(failure);
      };
      // A failed commit has been rolled back by the server.
      if (text === 'COMMIT;') return original.call(this, { text: 'ROLLBACK;' }, fail);
      setImmediate(fail);
      return undefined;
    };
    Client.prototype.query = patched as typeof Client.prototype.query;
  }

  uninstall(): void {
    Client.prototype.query = this.original as unknown as typeof Client.prototype.query;
  }

  /** @param failAt number of the statement that fails, 1 for the next; 0 lets all pass */
  arm(failAt: number): void {
    this.count = 0;
    this.failAt = failAt;
    this.statements = [];
  }

  private fails(text: string): boolean {
    this.count += 1;
    this.statements.push(text);
    return this.count === this.failAt;
  }
}

function textOf(config: unknown): string | undefined {
  if (typeof config === 'string') return config;
  if (typeof config !== 'object' || config === null || !('text' in config)) return undefined;
  return typeof config.text === 'string' ? config.text : undefined;
}

function isOfWebhooks(client: unknown): boolean {
  const { connectionParameters } = client as { connectionParameters?: { application_name?: string } };
  return connectionParameters?.application_name === 'tollgate-webhooks';
}
