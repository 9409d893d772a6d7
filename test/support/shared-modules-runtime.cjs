/**
 * Jest runtime with one copy of every module for all test files of a process.
 *
 * Jest loads each module again for each test file. For a service that costs half a second of CPU a file, and V8 has to
 * compile the code again each time. Here Jest loads only the test file, and Node loads everything that it imports: a
 * module is loaded once and stays compiled. In return, a module must not keep state that one test file can change for
 * another, and no module can be replaced: a lint rule refuses `jest.mock` and similar calls. Pass the double in.
 */
const { readFileSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const Runtime = require('jest-runtime').default;

/** Modules that Jest itself provides to a test file. */
const OF_JEST = new Set(['@jest/globals', '@jest/expect', 'expect']);

/** Path of each file's source map. @type {Map<string, string>} */
const sourceMaps = new Map();
/** The source maps of the running test file. @type {Map<string, string> | undefined} */
let latest;
let installed = false;

/**
 * Makes Node load TypeScript, compiled (and cached) by Jest's own transformer.
 *
 * @param transformer the `ScriptTransformer` of the first test file: all of Jest's projects compile alike
 */
function loadTypeScriptWith(transformer, coverageOptions) {
  if (installed) return;
  installed = true;
  const options = {
    ...coverageOptions,
    isInternalModule: false,
    supportsDynamicImport: false,
    supportsExportNamespaceFrom: false,
    supportsStaticESM: false,
    supportsTopLevelAwait: false,
  };
  require.extensions['.ts'] = (module, file) => {
    const { code, sourceMapPath } = transformer.transform(file, options, readFileSync(file, 'utf8'));
    if (sourceMapPath) {
      sourceMaps.set(file, sourceMapPath);
      latest?.set(file, sourceMapPath);
    }
    module._compile(code, file);
  };
}

class SharedModulesRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, ...further) {
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, ...further);
    loadTypeScriptWith(transformer, coverageOptions);
  }

  requireModuleOrMock(from, name) {
    if (OF_JEST.has(name) || isBuiltin(name)) return super.requireModuleOrMock(from, name);
    return createRequire(from)(name);
  }

  /** Jest keeps the map that this returns, and reads it when it prints a stack. */
  getSourceMaps() {
    latest = super.getSourceMaps();
    for (const [file, map] of sourceMaps) latest.set(file, map);
    return latest;
  }
}
Object.defineProperty(exports, '__esModule', { value: true });
exports.default = SharedModulesRuntime;
