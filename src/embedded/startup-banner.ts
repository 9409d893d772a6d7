import type { DemoFile } from './demo/demo-file';

/**
 * Returns the text that `npm start` prints once it is ready: addresses, the demo operator, keys, and two calls to
 * paste.
 */
export function startupBanner(demo: DemoFile, dataDirectory: string): string {
  const rows: [string, string][] = [
    ['Console', demo.consoleUrl],
    ['Sandbox API', demo.sandboxBaseUrl],
    ['Production API', demo.productionBaseUrl],
    [
      'Temporal',
      demo.temporalUiUrl ?? 'not running: checks and tracks work, changes of subscriptions answer 503',
    ],
    ['Provider A', `${demo.simulators.a}  simulated, as B and C are`],
    ['Provider B', demo.simulators.b],
    ['Provider C', demo.simulators.c],
    ['Their control', demo.simulators.control],
    ['Webhooks', 'may go to this machine (TOLLGATE_WEBHOOK_LOOPBACK), unlike in a deployment'],
    ['Operator', `${demo.operator.email}  ${demo.operator.password}`],
    ['Organization', demo.organizationId],
    ['Sandbox key', demo.sandboxKey],
    ['Production key', demo.productionKey],
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(15)} ${value}`);
  const calls = demo.curl.map((command) => `\n${command}`);
  return [
    '',
    'Tollgate is ready.',
    '',
    ...table,
    '',
    'Try it:',
    ...calls,
    '',
    `(All of this is in demo.json of ${dataDirectory}. Ctrl-C stops it; the data is kept.)`,
    '',
  ].join('\n');
}
