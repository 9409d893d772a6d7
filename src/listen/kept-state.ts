import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { errorCode } from '../domain/errors';
import { ListenError } from './listen-error';

const stateSchema = z.object({
  /** Signing secret of the messages, like an endpoint's own. */
  secret: z.string(),
  /** By API URL and sandbox, and by receiver as well: the stream id from which to continue. */
  positions: z.record(z.string(), z.string()),
  /** By API URL: the last sandbox listened to. Earlier files have none, and positions by URL only. */
  sandboxes: z.record(z.string(), z.string()).default({}),
});

type State = z.output<typeof stateSchema>;

/**
 * State kept between starts. Several processes may run with the same file, for example one for each receiver. Each
 * receiver has its own position, so that one that is down does not hold up the others.
 */
export class KeptState {
  private constructor(
    private readonly file: string,
    private readonly receiver: string,
    private readonly state: State,
  ) {}

  /**
   * Reads `listen.json`, or creates it with a new secret.
   *
   * @param receiver where the messages go: a URL, or a name for the terminal
   * @throws ListenError if it cannot be read or written
   */
  static async open(dataDirectory: string, receiver: string): Promise<KeptState> {
    const file = path.join(dataDirectory, 'listen.json');
    const state = await read(file);
    if (state !== null) return new KeptState(file, receiver, state);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await write(file, { secret, positions: {}, sandboxes: {} }, createExclusively);
    // Another process may have created it at the same moment. All sign with the same secret.
    const created = await read(file);
    if (created === null) throw new ListenError(`${file} was removed while listen started.`);
    return new KeptState(file, receiver, created);
  }

  get secret(): string {
    return this.state.secret;
  }

  /** Returns the last sandbox listened to; null before the first. */
  sandboxOf(apiUrl: string): string | null {
    return this.state.sandboxes[apiUrl] ?? null;
  }

  /**
   * Returns the stream id of that sandbox's last message that this receiver handled, or that any handled if this one
   * has none yet; null before the first.
   */
  positionOf(apiUrl: string): string | null {
    const place = this.placeOf(apiUrl);
    return this.state.positions[`${place} ${this.receiver}`] ?? this.state.positions[place] ?? null;
  }

  /** Switches to another sandbox, which has its own position. */
  async switchTo(apiUrl: string, sandbox: string): Promise<void> {
    await this.change((state) => {
      state.sandboxes[apiUrl] = sandbox;
    });
  }

  /** Moves this receiver's position. The shared one does not move back for a receiver that lags behind others. */
  async moveTo(apiUrl: string, position: string): Promise<void> {
    const place = this.placeOf(apiUrl);
    await this.change((state) => {
      const shared = state.positions[place];
      if (shared === undefined || isAfter(position, shared)) state.positions[place] = position;
      state.positions[`${place} ${this.receiver}`] = position;
    });
  }

  /** Moves both positions, even backwards: the service does not know the previous one. */
  async restartAt(apiUrl: string, position: string): Promise<void> {
    const place = this.placeOf(apiUrl);
    await this.change((state) => {
      state.positions[place] = position;
      state.positions[`${place} ${this.receiver}`] = position;
    });
  }

  private placeOf(apiUrl: string): string {
    const sandbox = this.sandboxOf(apiUrl);
    return sandbox === null ? apiUrl : `${apiUrl} ${sandbox}`;
  }

  /**
   * Changes this process's state, and in the file only the same members. The file is not locked: if two processes
   * change it at the same moment, one of the changes is lost, and some messages may be sent again at the next start.
   */
  private async change(apply: (state: State) => void): Promise<void> {
    apply(this.state);
    const latest = (await read(this.file)) ?? this.state;
    apply(latest);
    await write(this.file, latest);
  }
}

/** @returns null if there is no file */
async function read(file: string): Promise<State | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw new ListenError(`${file} cannot be read: ${String(error)}`);
  });
  return text === null ? null : parse(file, text);
}

/** Writes the file, readable only by its owner because of the secret. */
async function write(
  file: string,
  state: State,
  put: (unfinished: string, file: string) => Promise<void> = rename,
): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(unfinished, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    await put(unfinished, file);
  } catch (error) {
    throw new ListenError(`${file} cannot be written: ${String(error)}`);
  }
}

/** Moves a complete file into place, unless another process has created one. */
async function createExclusively(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    // Some file systems have no links.
    if (errorCode(error) !== 'EEXIST') return rename(unfinished, file);
  }
  await rm(unfinished);
}

/** Compares stream ids, `<transaction>.<message>`, as the stream orders its messages. */
function isAfter(one: string, other: string): boolean {
  const [transaction = '', message = ''] = one.split('.');
  const [otherTransaction = '', otherMessage = ''] = other.split('.');
  if (transaction === otherTransaction) return message > otherMessage;
  return BigInt(transaction) > BigInt(otherTransaction);
}

function parse(file: string, text: string): State {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new ListenError(`${file} is damaged. Remove it; a new secret is then created.`);
  }
}
