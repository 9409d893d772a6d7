import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ListenError } from './listen-error';

const stateSchema = z.object({
  /** What the messages are signed with, as an endpoint's own. */
  secret: z.string(),
  /** By the address of the API and the sandbox there: the stream's id after which it goes on. */
  positions: z.record(z.string(), z.string()),
  /** By the address: the sandbox that was listened to last. Files of before know none, and a position of the address. */
  sandboxes: z.record(z.string(), z.string()).default({}),
});

/** What is kept from one start to the next. */
export class KeptState {
  private constructor(
    private readonly file: string,
    private readonly state: z.output<typeof stateSchema>,
  ) {}

  /**
   * Reads `listen.json`, or makes it with a new secret.
   *
   * @throws ListenError where it cannot be read or written
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

  /** The sandbox that was listened to last; null before the first. */
  sandboxOf(apiUrl: string): string | null {
    return this.state.sandboxes[apiUrl] ?? null;
  }

  /** The stream's id of the last message of that sandbox that was dealt with; null before the first. */
  positionOf(apiUrl: string): string | null {
    return this.state.positions[this.placeOf(apiUrl)] ?? null;
  }

  /** Another sandbox is listened to, which has a position of its own. */
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

  /** Only its owner may read it, because of the secret. */
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
    throw new ListenError(`${file} is damaged. Remove it; a new secret is made then.`);
  }
}
