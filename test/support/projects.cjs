/**
 * Assigns test files to Jest projects by their imports:
 *
 *   temporal   a Temporal server, or the workflows' bundle
 *   service    Postgres, or a separate process
 *   pure       neither: such a test starts no server, and a run of only pure tests has no setup
 *
 * Imports count in the test file itself and in the files of the test folders that it imports.
 */
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
/** The folders whose imports are followed. Importing the service's own code starts nothing. */
const FOLLOWED = ['test', 'bench', 'endurance'].map((folder) => path.join(ROOT, folder) + path.sep);

const TEMPORAL = new Set([
  'test/support/time-skipping-server.ts',
  'test/support/workflow-bundle.ts',
  'test/temporal/installation.ts',
  'test/support/npm-start.ts',
  'endurance/installation.ts',
  'src/embedded/temporal-server.ts',
]);
const SERVICE = new Set([
  'test/support/cluster.ts',
  'test/support/database.ts',
  'src/embedded/postgres-cluster.ts',
  'node:child_process',
]);

const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\brequire\(\s*)'([^']+)'/g;
const TYPE_IMPORT = /\b(?:import|export)\s+type\s[^;]*;/g;

/** @type {Map<string, Set<string>>} */
const reached = new Map();

/**
 * Returns the imports of a file, and those of the test folders' files among them, as paths from the root and `node:`
 * names.
 */
function imports(file) {
  const known = reached.get(file);
  if (known !== undefined) return known;
  const found = new Set();
  reached.set(file, found);
  for (const { name, target } of importsOf(file)) {
    found.add(name);
    if (target !== undefined && FOLLOWED.some((folder) => target.startsWith(folder)))
      for (const further of imports(target)) found.add(further);
  }
  return found;
}

/**
 * Returns a file's own imports, without type imports.
 *
 * @param {string} file
 * @returns {{ name: string, target: string | undefined }[]} the path from the root or the package's name, and the file
 */
function importsOf(file) {
  const source = readFileSync(file, 'utf8').replace(TYPE_IMPORT, '');
  return Array.from(source.matchAll(IMPORT), ([, specifier]) => {
    const target = specifier.startsWith('.') ? resolve(path.join(path.dirname(file), specifier)) : undefined;
    return { name: target === undefined ? specifier : path.relative(ROOT, target), target };
  });
}

function resolve(specified) {
  const candidates = [specified, `${specified}.ts`, `${specified}.tsx`, path.join(specified, 'index.ts')];
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}

/** @param file a test file's path from the root */
function projectOf(file) {
  const needed = [...imports(path.join(ROOT, file))];
  if (needed.some((name) => TEMPORAL.has(name))) return 'temporal';
  if (needed.some((name) => SERVICE.has(name))) return 'service';
  return 'pure';
}

/** @returns {Record<'pure' | 'service' | 'temporal', string[]>} the test files of each project, as paths from the root */
function testProjects() {
  const projects = { pure: [], service: [], temporal: [] };
  for (const name of readdirSync(path.join(ROOT, 'test'), { recursive: true })) {
    const file = path.posix.join('test', String(name).replaceAll(path.sep, '/'));
    if (file.endsWith('.test.ts')) projects[projectOf(file)].push(file);
  }
  for (const files of Object.values(projects)) files.sort();
  return projects;
}

module.exports = { importsOf, projectOf, testProjects };
