import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const dateRules = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message:
      'Time is an argument: take the instant from the caller, or from a Clock at the edge (src/clock).',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message:
      'Time is an argument: take the instant from the caller, or from a Clock at the edge (src/clock).',
  },
];
const randomRule = {
  selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
  message: 'Use node:crypto, or pass the value in.',
};

/*
 * What the other linter has not: the project's own rules, and those of React's hooks. It knows no types, which would take
 * it ten times as long: rules that need them are in .oxlintrc.json.
 */
export default tseslint.config(
  { ignores: ['console/src/api/schema.d.ts', 'dist/**', 'node_modules/**', '.data/**', 'coverage/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    rules: { 'no-restricted-syntax': ['error', ...dateRules, randomRule] },
  },
  {
    files: [
      'src/clock/**/*.ts',
      'src/identifiers/**/*.ts',
      'simulators/core/clock.ts',
      'workflows/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      'endurance/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', randomRule] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['mock', 'doMock', 'setMock', 'resetModules', 'isolateModules', 'isolateModulesAsync'].map(
          (property) => ({
            object: 'jest',
            property,
            message:
              'Test files share their modules (docs/decisions/shared-test-modules.md): pass the double in.',
          }),
        ),
      ],
    },
  },
  {
    // A browser's page: its clock is the viewer's, and handlers are short.
    files: ['console/**/*.ts', 'console/**/*.tsx', 'portal/**/*.ts', 'portal/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      'no-restricted-syntax': ['error', randomRule],
      // React's compiler is not used.
      'react-hooks/incompatible-library': 'off',
    },
  },
);
