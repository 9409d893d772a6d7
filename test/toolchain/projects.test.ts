import { createTestDatabase } from '../support/database';
import { projectOf, testProjects } from '../support/projects.cjs';

const projects = testProjects();

test('every test belongs to one project', () => {
  const all = Object.values(projects).flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all).toContain('test/toolchain/projects.test.ts');
});

test('what the domain promises is proven without a server', () => {
  const files = Object.entries(projects).map(([project, paths]) => ({
    project,
    domain: paths.filter((file) => file.startsWith('test/domain/')).length,
  }));
  expect(files).toEqual([
    { project: 'pure', domain: expect.any(Number) as number },
    { project: 'service', domain: 0 },
    { project: 'temporal', domain: 0 },
  ]);
});

test.each([
  ['imports the database', 'test/toolchain/projects.test.ts', 'service'],
  ['imports a file that imports the database', 'test/support/service.ts', 'service'],
  ['starts a process', 'test/support/entry-point.ts', 'service'],
  ['runs workflows on the time-skipping server', 'test/workflows/refund.test.ts', 'temporal'],
  ['imports code of the service alone', 'test/domain/access.test.ts', 'pure'],
])('a file that %s: %s is %s', (_, file, project) => {
  expect(projectOf(file)).toBe(project);
});

test('this test is of the project service, so it gets a database', async () => {
  const database = await createTestDatabase();
  await expect(database.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  await database.drop();
});
