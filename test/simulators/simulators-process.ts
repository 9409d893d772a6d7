import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { findFreePort } from '../../src/embedded/free-port';

const ROOT = path.join(__dirname, '..', '..');
const urls = z.object({ a: z.url(), b: z.url(), c: z.url(), control: z.url() });

type Answered = Record<string, unknown>;

/** The simulators in a separate process. */
export interface SimulatorsProcess {
  urls: z.output<typeof urls>;
  /** Returns the process's messages for people. */
  said(): string;
  /** Sends a request with a JSON body, or a form if `body` is one. */
  call(
    url: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Answered; location: string | null }>;
  /** Kills the process and starts another one on the same ports and state file. */
  killAndRestart(): Promise<SimulatorsProcess>;
  kill(): Promise<void>;
}

/** Nothing else takes one of them between a kill and the next start, because they are not ephemeral. */
async function freePorts(): Promise<string[]> {
  const ports: string[] = [];
  while (ports.length < 4) ports.push(String(await findFreePort()));
  return ports;
}

/** @param stateFile undefined: the process keeps no state file */
export async function startSimulatorsProcess(options: {
  stateFile: string | undefined;
  workingDirectory: string;
  ports?: string[];
}): Promise<SimulatorsProcess> {
  const { stateFile, workingDirectory, ports = await freePorts() } = options;
  const loader = path.join(ROOT, 'test', 'support', 'typescript.cjs');
  const state = stateFile === undefined ? [] : ['--state', stateFile];
  const script = path.join(ROOT, 'simulators', 'main.ts');
  const child = spawn(process.execPath, ['-r', loader, script, ...ports, ...state], {
    cwd: workingDirectory,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  const first = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const [line] = await Promise.race([first, ended.then(() => [said])]);
  const at = urls.parse(JSON.parse(line));

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }
  return {
    urls: at,
    said: () => said,
    call: async (url, body, headers = {}) => {
      const isForm = body instanceof URLSearchParams;
      const answer = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return {
        status: answer.status,
        body: isJson ? (JSON.parse(text) as Answered) : {},
        location: answer.headers.get('location'),
      };
    },
    killAndRestart: async () => {
      await kill();
      const same = [at.a, at.b, at.c, at.control].map((url) => new URL(url).port);
      return startSimulatorsProcess({ stateFile, workingDirectory, ports: same });
    },
    kill,
  };
}
