import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../clock/system-clock';
import { ConfigurationError } from '../config/configuration-error';
import { readConfig } from '../config/read-config';
import { BLOCKED_PORTS } from '../domain/blocked-ports';
import { countInWords } from '../domain/count-in-words';
import { isWebhookType, WEBHOOK_TYPES, type WebhookType } from '../domain/webhook-types';
import { isLoopback } from '../domain/return-origins';
import { readDemoFile } from '../embedded/demo/demo-file';
import { KeptState } from '../listen/kept-state';
import { listen } from '../listen/listen';
import { ListenError } from '../listen/listen-error';
import { Webhook } from 'standardwebhooks';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

interface Options {
  forwardTo?: URL;
  skipForward: boolean;
  apiUrl?: URL;
  apiKey?: string;
  types?: ReadonlySet<WebhookType>;
  secret?: string;
}

/** `npm run listen -- …`: receives a sandbox's webhook messages on a developer's machine. */
const program = new Command('listen')
  .description(
    'Prints the sandbox’s webhook messages as they arrive, and forwards them to a URL, signed like those to an endpoint. Messages that were sent while it was not running come first at the next start.',
  )
  .option('--forward-to <url>', 'the URL that each message is posted to', httpUrl)
  .option('--skip-forward', 'only print', false)
  .option('--types <list>', 'only these types, separated by commas', typesOf)
  .option('--api-url <url>', 'the sandbox API; default: that of npm start', httpUrl)
  .option(
    '--api-key <key>',
    'a sandbox key; default: TOLLGATE_API_KEY, or that of npm start for its own sandbox',
  )
  .option('--secret <whsec>', 'the signing secret; default: one that is created once and kept', secretOf);

function httpUrl(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidArgumentError('It is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InvalidArgumentError('It is not an http or https URL.');
  // `fetch` would refuse these at every attempt, as if nothing answered.
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It has a user name or a password.');
  if (BLOCKED_PORTS.includes(Number(url.port)))
    throw new InvalidArgumentError('Browsers and Node block its port. Choose another one, such as 3000.');
  return url;
}

function typesOf(text: string): ReadonlySet<WebhookType> {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isWebhookType(name));
  if (unknown.length === 0) return new Set(names.filter(isWebhookType));
  throw new InvalidArgumentError(
    `There is no ${unknown.join(', ')}. The types are ${WEBHOOK_TYPES.join(', ')}.`,
  );
}

function secretOf(text: string): string {
  try {
    new Webhook(text);
    return text;
  } catch {
    throw new InvalidArgumentError('It is not whsec_ followed by base64.');
  }
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stop.abort();
  });
}

const print = (line: string): void => {
  console.log(line);
};

async function run(): Promise<void> {
  warnOfUnknownSettings('listen');
  const options = program.parse().opts<Options>();
  const config = readConfig(['TOLLGATE_DATA_DIR', 'TOLLGATE_SANDBOX_PORT', 'TOLLGATE_API_KEY']);
  if (options.forwardTo === undefined && !options.skipForward) {
    throw new ListenError(
      'Set --forward-to, for example to http://127.0.0.1:3000/hook, or --skip-forward to only print.',
    );
  }
  if (options.forwardTo !== undefined && options.skipForward) {
    throw new ListenError('Set --forward-to or --skip-forward, not both.');
  }
  const dataDirectory = path.resolve(config.TOLLGATE_DATA_DIR);
  const local = (await readDemoFile(dataDirectory))?.sandboxBaseUrl;
  const apiUrl =
    options.apiUrl?.origin ?? local ?? `http://127.0.0.1:${String(config.TOLLGATE_SANDBOX_PORT)}`;
  const configuredKey = options.apiKey ?? config.TOLLGATE_API_KEY;
  const key = async (): Promise<string> =>
    checkedKey(configuredKey ?? (await demoKey(dataDirectory, apiUrl)), apiUrl);
  await key();
  const forwardTo = options.forwardTo ?? null;
  const state = await KeptState.open(dataDirectory, forwardTo?.href ?? 'terminal');
  const secret = options.secret ?? state.secret;
  if (forwardTo !== null) print(`Forwarding to ${forwardTo.href}, signed with ${secret}`);
  const types = options.types ?? null;
  const now = (): number => systemClock.now();
  const count = await listen({
    apiUrl,
    key,
    forwardTo,
    types,
    secret,
    state,
    now,
    print,
    stopped: stop.signal,
  });
  print(`Stopped after ${countInWords(count, 'message')}.`);
}

/** Returns the key of `npm start`; undefined for another API, to which it is not sent. */
async function demoKey(dataDirectory: string, apiUrl: string): Promise<string | undefined> {
  const demo = await readDemoFile(dataDirectory);
  return demo !== undefined && isSameApi(demo.sandboxBaseUrl, apiUrl) ? demo.sandboxKey : undefined;
}

/** Whether two URLs have the same origin. All names of this machine are one. */
function isSameApi(one: string, other: string): boolean {
  if (isLoopback(one) && isLoopback(other)) return new URL(one).port === new URL(other).port;
  return new URL(one).origin === new URL(other).origin;
}

/** @throws ListenError */
function checkedKey(key: string | undefined, apiUrl: string): string {
  if (key === undefined) {
    throw new ListenError(
      `There is no key for ${apiUrl}: name a sandbox key with --api-key. For that of npm start, start Tollgate first.`,
    );
  }
  if (!key.startsWith('svc_live_')) return key;
  throw new ListenError(
    'This is a production key, and listen is for the sandbox: use a key that begins with svc_test_. Production sends to webhook endpoints.',
  );
}

run()
  .then(() => process.exit())
  .catch((error: unknown) => {
    const isExpected = error instanceof ListenError || error instanceof ConfigurationError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  });
