import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

/** An entry point of src/main in a separate process, built as for deployment. */
export class EntryPoint {
  readonly child: ChildProcess;
  output = '';
  readonly exit: Promise<{ code: number | null; signal: string | null }>;
  private waiting: (() => void)[] = [];

  /** @param ipc whether the process gets an IPC channel to this one, like a supervisor's children */
  constructor(
    name: string,
    environment: Record<string, string>,
    options: { args?: string[]; ipc?: boolean } = {},
  ) {
    const { args = [], ipc = false } = options;
    this.child = spawn(process.execPath, [path.join(ROOT, 'scripts', 'run.mjs'), name, ...args], {
      cwd: ROOT,
      // Pass only PATH from the test run's own environment.
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
      // 'close' is not emitted after the parent calls disconnect().
      this.child.once(ipc ? 'exit' : 'close', (code: number | null, signal: string | null) => {
        resolve({ code, signal });
        for (const wake of this.waiting.splice(0)) wake();
      });
    });
  }

  /** Resolves once the output matches; rejects if the process ends first. */
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
