import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = path.join(__dirname, '..', '..', 'scripts', 'download-server.mjs');

test('a download that fails ends with the reason, which is the line that npm start shows', async () => {
  const proxy = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const directory = await mkdtemp(path.join(tmpdir(), 'download-server-'));
  try {
    const https_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { ...process.env, https_proxy, HTTPS_PROXY: https_proxy };
    const failed = promisify(execFile)(process.execPath, [SCRIPT, 'cli', directory], { env });
    await expect(failed).rejects.toHaveProperty('stderr', expect.stringMatching(/temporal\.download.*\n$/));
  } finally {
    proxy.close();
    await rm(directory, { recursive: true });
  }
});
