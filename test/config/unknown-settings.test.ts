import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unknownSettings } from '../../src/config/unknown-settings';

test.each([
  ['TOLLGATE_TRUSTED_PROXY', 'Is TOLLGATE_TRUSTED_PROXIES meant?'],
  ['TOLLGATE_RETENTION_DAYS', 'Is TOLLGATE_EVENT_RETENTION_DAYS meant?'],
  ['TOLLGATE_LOGLEVEL', 'Is TOLLGATE_LOG_LEVEL meant?'],
  ['TOLLGATE_CURSOR_SECRETS_FILE', 'Is TOLLGATE_CURSOR_SECRET_FILE meant?'],
  // Only secrets can be read from a file.
  ['TOLLGATE_LOG_LEVEL_FILE', 'Is TOLLGATE_LOG_LEVEL meant?'],
  ['TOLLGATE_XYZ', 'docs/configuration.md lists them.'],
])('%s is no setting: %s', (name, hint) => {
  const said = `${name} is set and is no setting, so it changes nothing. ${hint}`;
  expect(unknownSettings({ [name]: 'a-secret', TOLLGATE_LOG_LEVEL: 'info' })).toEqual([said]);
});

test('a setting, its file, an empty variable and one of another program are not reported', () => {
  const environment = {
    TOLLGATE_TRUSTED_PROXIES: '1',
    TOLLGATE_CURSOR_SECRET_FILE: '/run/secrets/cursor-secret',
    TOLLGATE_TRUSTED_PROXY: '',
    TEMPORAL_ADRESS: 'temporal:7233',
    PATH: '/usr/bin',
  };
  expect(unknownSettings(environment)).toEqual([]);
});

test('what Kubernetes sets for a Service whose name begins with "tollgate" is not reported', () => {
  const environment = {
    TOLLGATE_API_SERVICE_HOST: '10.0.0.7',
    TOLLGATE_API_SERVICE_PORT: '4001',
    TOLLGATE_API_SERVICE_PORT_SANDBOX: '4001',
    TOLLGATE_API_PORT: 'tcp://10.0.0.7:4001',
    TOLLGATE_API_PORT_4001_TCP: 'tcp://10.0.0.7:4001',
    TOLLGATE_API_PORT_4001_TCP_ADDR: '10.0.0.7',
  };
  expect(unknownSettings(environment)).toEqual([]);
});

test.each(['README.md', 'docker-compose.yml', 'docs/quickstart.md', 'CONTRIBUTING.md'])(
  'every variable that %s has somebody set is known',
  (file) => {
    const text = readFileSync(path.join(__dirname, '..', '..', file), 'utf8');
    const names = [...text.matchAll(/\bTOLLGATE_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => [name, 'set']);
    expect(names.length).toBeGreaterThan(0);
    expect(unknownSettings(Object.fromEntries(names) as Record<string, string>)).toEqual([]);
  },
);
