import { refuseOldServer } from '../../src/db/migration-lock';

test.each(['15.18', '16.4 (Debian 16.4-1.pgdg120+1)', '18beta2'])('Postgres %s is migrated', (version) => {
  expect(() => {
    refuseOldServer(version);
  }).not.toThrow();
});

test('an older Postgres is refused by its version, before a migration fails on what it lacks', () => {
  expect(() => {
    refuseOldServer('14.23');
  }).toThrow('The server is Postgres 14.23, but Tollgate needs Postgres 15 or newer.');
});
