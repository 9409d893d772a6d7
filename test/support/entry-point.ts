import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

/** An entry point of src/main as a process of its own, built as it is deployed. */
export class EntryPoint {
  readonly child: ChildProcess;
  output = '';
  readonly exit: Promise<{ code: number | null; signal: string | null }>;
  private waiting: (() => void)[] = [];

  /** @param ipc whether the process gets a channel to this one, as a supervisor's children do */
  constructor(
    name: string,
    environment: Record<string, string>,
    options: { args?: string[]; ipc?: boolean } = {},
  ) {
    const { args = [], ipc = false } = options;
    this.child = spawn(process.execPath, [path.join(ROOT, 'scripts', 'run.mjs'), name, ...args], {
      cwd: ROOT,
      // Nothing of the test run's own environment but what finds programs.
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk;
        for (const resolve of this.waiting.splice(0)) resolve();
      });
    }
    this.exit = new Promise((resolve) => {
      // After a parent's own disconnect() there is no 'close'.
      this.child.once(ipc ? 'exit' : 'close', (code: number | null, signal: string | null) => {
        resolve({ code, signal });
        for (const wake of this.waiting.splice(0)) wake();
      });
    });
  }

  /** Resolves once the output matches; rejects when the process ends first. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      if (this.child.exitCode !== null)
        throw new Error(`It ended without saying ${pattern.source}:\n${this.output}`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
