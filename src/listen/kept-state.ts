import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ListenError } from './listen-error';

const stateSchema = z.object({
  /** Signing secret of the messages, like an endpoint's own. */
  secret: z.string(),
  /** By API URL and sandbox: the stream id from which to continue. */
  positions: z.record(z.string(), z.string()),
  /** By API URL: the last sandbox listened to. Earlier files have none, and positions by URL only. */
  sandboxes: z.record(z.string(), z.string()).default({}),
});

/** State kept between starts. */
export class KeptState {
  private constructor(
    private readonly file: string,
    private readonly state: z.output<typeof stateSchema>,
  ) {}

  /**
   * Reads `listen.json`, or creates it with a new secret.
   *
   * @throws ListenError if it cannot be read or written
   */
  static async open(dataDirectory: string): Promise<KeptState> {
    const file = path.join(dataDirectory, 'listen.json');
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw new ListenError(`${file} cannot be read: ${String(error)}`);
    });
    if (text !== null) return new KeptState(file, parse(file, text));
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const made = new KeptState(file, { secret, positions: {}, sandboxes: {} });
    await made.save();
    return made;
  }

  get secret(): string {
    return this.state.secret;
  }

  /** Returns the last sandbox listened to; null before the first. */
  sandboxOf(apiUrl: string): string | null {
    return this.state.sandboxes[apiUrl] ?? null;
  }

  /** Returns the stream id of that sandbox's last handled message; null before the first. */
  positionOf(apiUrl: string): string | null {
    return this.state.positions[this.placeOf(apiUrl)] ?? null;
  }

  /** Switches to another sandbox, which has its own position. */
  async switchTo(apiUrl: string, sandbox: string): Promise<void> {
    this.state.sandboxes[apiUrl] = sandbox;
    await this.save();
  }

  async moveTo(apiUrl: string, position: string): Promise<void> {
    this.state.positions[this.placeOf(apiUrl)] = position;
    await this.save();
  }

  private placeOf(apiUrl: string): string {
    const sandbox = this.sandboxOf(apiUrl);
    return sandbox === null ? apiUrl : `${apiUrl} ${sandbox}`;
  }

  /** Saves the file, readable only by its owner because of the secret. */
  private async save(): Promise<void> {
    const unfinished = `${this.file}.${process.pid}`;
    try {
      await mkdir(path.dirname(this.file), { recursive: true });
      await writeFile(unfinished, `${JSON.stringify(this.state, null, 2)}\n`, { mode: 0o600 });
      await rename(unfinished, this.file);
    } catch (error) {
      throw new ListenError(`${this.file} cannot be written: ${String(error)}`);
    }
  }
}

function parse(file: string, text: string): z.output<typeof stateSchema> {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new ListenError(`${file} is damaged. Remove it; a new secret is then created.`);
  }
}
