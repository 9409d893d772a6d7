import { readFileSync } from 'node:fs';
import { API_NODE_FLAGS } from '../../src/embedded/service-entries';

test('npm start, npm run api and the image start the api with the same flags', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { api: string } };
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  expect(scripts.api).toBe(`node ${API_NODE_FLAGS.join(' ')} scripts/run.mjs api`);
  expect(JSON.parse(command)).toEqual(['node', ...API_NODE_FLAGS, 'dist/src/main/api.js']);
});
