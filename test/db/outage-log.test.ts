import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';

test('a refused connection is left to the caller to log, who knows the request', async () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line: string) => lines.push(line) });
  // Nothing listens on port 1.
  const url = 'postgres://tollgate_app:secret@127.0.0.1:1/tollgate';
  const database = openDatabase(url, { max: 1, applicationName: 'test', log });
  await expect(database.raw('SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
  await database.destroy();
  expect(lines).toEqual([]);
});
