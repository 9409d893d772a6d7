import { readFileSync } from 'node:fs';
import { API_NODE_FLAGS } from '../../src/embedded/service-entries';

test('npm start, npm run api and the image start the api with the same flags', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { api: string } };
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  expect(scripts.api).toBe(`exec node ${API_NODE_FLAGS.join(' ')} scripts/run.mjs api`);
  expect(JSON.parse(command)).toEqual(['node', ...API_NODE_FLAGS, 'dist/src/main/api.js']);
});

test('npm passes a signal on to each process that runs until it is stopped', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  // npm signals only the shell that it starts, and some shells (dash) stay between npm and the command.
  for (const name of ['start', 'test', 'api', 'worker', 'relay', 'deliver', 'maintain', 'listen'])
    expect(scripts[name]).toMatch(/^exec node /);
});
