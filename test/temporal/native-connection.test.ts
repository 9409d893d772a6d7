import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MODULE = path.join(__dirname, '..', '..', 'dist', 'activities', 'native-connection.js');

/** Returns the outcome of a TLS connection, from a separate process, to a port where nothing listens. */
async function outcomeOf(tls: object | boolean, authorities: Record<string, string>): Promise<string> {
  const endpoint = JSON.stringify({ address: '127.0.0.1:1', namespace: 'default', tls });
  const script = `require(${JSON.stringify(MODULE)}).connectNatively(${endpoint}).catch((error) => {
    console.log(error.message);
    process.exit(0);
  })`;
  const { stdout } = await run(process.execPath, ['-e', script], {
    env: { PATH: process.env['PATH'] ?? '', ...authorities },
  });
  return stdout;
}

// As in an image without the package ca-certificates.
const NONE = { SSL_CERT_FILE: '/nowhere.pem', SSL_CERT_DIR: '/nowhere' };

test.each([
  ['tls alone', {}],
  ['a server name', { serverNameOverride: 'temporal.example' }],
])('a worker goes as far as the server where the system has no authorities, with %s', async (_, tls) => {
  expect(await outcomeOf(tls, NONE)).toMatch(/ConnectionRefused/);
});
