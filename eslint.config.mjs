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

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.data/**', 'coverage/**'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...dateRules, randomRule],
    },
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
  { files: ['src/main/**/*.ts', 'bench/**/*.ts', 'endurance/main.ts'], rules: { 'no-console': 'off' } },
);
