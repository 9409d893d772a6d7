/** Lets a child process of a test run the sources as they are: node -r test/support/typescript.cjs src/main/api.ts */
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => {
  const options = {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  };
  module._compile(transformFileSync(file, options).code, file);
};
