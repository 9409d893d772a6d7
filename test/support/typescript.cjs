/** Lets a child process of a test run the sources directly: node -r test/support/typescript.cjs src/main/api.ts */
const { transformFileSync, version } = require('@swc/core');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const options = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};
/** Cache of transformed files: a process has hundreds of files, and a test run dozens of processes. */
const CACHE = path.join(__dirname, '..', '..', 'node_modules', '.cache', 'tollgate', 'typescript');
mkdirSync(CACHE, { recursive: true });

require.extensions['.ts'] = (module, file) => {
  const key = createHash('sha256').update(version).update(file).update(readFileSync(file)).digest('hex');
  const cached = path.join(CACHE, `${key}.js`);
  let code;
  try {
    code = readFileSync(cached, 'utf8');
  } catch {
    ({ code } = transformFileSync(file, options));
    const mine = `${cached}.${process.pid}`;
    writeFileSync(mine, code);
    renameSync(mine, cached);
  }
  module._compile(code, file);
};
