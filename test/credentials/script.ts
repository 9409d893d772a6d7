import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A script of this folder, run as a separate process. */
export class Script {
  readonly child: ChildProcess;
  private lines: string[] = [];
  private partial = '';
  private wake: () => void = () => undefined;
  private readonly ended: Promise<unknown>;

  constructor(name: 'reading-process' | 'migrating-process', args: string[]) {
    const loader = path.join(__dirname, '..', 'support', 'typescript.cjs');
    this.child = spawn(process.execPath, ['-r', loader, path.join(__dirname, `${name}.ts`), ...args], {
      cwd: path.join(__dirname, '..', '..'),
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (this.partial + text).split('\n');
      this.partial = parts.pop() ?? '';
      this.lines.push(...parts);
      this.wake();
    });
    this.ended = once(this.child, 'close').then(() => {
      this.wake();
    });
  }

  /** Resolves with all lines printed, once there are this many or the script has ended. */
  async said(count: number): Promise<string[]> {
    while (this.lines.length < count && this.child.exitCode === null && this.child.signalCode === null) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.lines;
  }

  async stop(signal: NodeJS.Signals): Promise<string[]> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    await this.ended;
    return this.lines;
  }
}
