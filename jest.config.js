const { testProjects } = require('./test/support/projects.cjs');

const common = {
  // Beside the packages, so that it outlives the temporary files of a run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  runtime: '<rootDir>/test/support/shared-modules-runtime.cjs',
  testEnvironment: '<rootDir>/test/support/one-realm-environment.cjs',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
};
const servers = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

const files = testProjects();
const project = (displayName, further) => ({
  ...common,
  ...further,
  displayName,
  testMatch: files[displayName].map((file) => `<rootDir>/${file}`),
});

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('pure', { setupFiles: ['<rootDir>/test/support/no-servers.cjs'] }),
    project('service', servers),
    project('temporal', servers),
  ],
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  // On two cores: tests spend most of their time waiting for servers, clocks and pauses.
  maxWorkers: 5,
  // A worker keeps something of every file that it has run.
  workerIdleMemoryLimit: '2GB',
  // Ends a test that hangs; a loaded machine may take its time.
  testTimeout: 900000,
};
