import { errorMessage } from '../domain/errors';

/** The installation cannot start in its current state. The message explains why, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/** How many lines of a server's output an error quotes. */
const QUOTED_LINES = 15;

/** Passes a server's output on, and quotes its end in the error if the server does not start. */
export class StartLog {
  private readonly lastLines: string[] = [];

  constructor(private readonly passOn: (line: string) => void) {}

  readonly add = (line: string): void => {
    this.lastLines.push(line);
    if (this.lastLines.length > QUOTED_LINES) this.lastLines.shift();
    this.passOn(line);
  };

  /** @param server as the message begins, for example "Postgres" */
  failure(server: string, error: unknown): StartError {
    const lines = this.lastLines.join('\n');
    return new StartError(`${server} did not start: ${errorMessage(error)}\n${lines}`, { cause: error });
  }
}
