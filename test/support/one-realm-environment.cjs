/**
 * Jest test environment without its own realm: the modules that test files share (shared-modules-runtime.cjs) see the
 * same `Error`, `Date` and `Promise` as the tests. Changes that a test file makes to the process are undone when it
 * ends.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Placeholder for the process's own context, which has no object. */
const OWN_CONTEXT = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
  compileFunction(code, parameters, {
    ...options,
    ...(parsingContext === OWN_CONTEXT ? {} : { parsingContext }),
  });

/**
 * The storages that a test file has used. Jest creates one for every file and keeps it, and each storage that was ever
 * used costs time for every promise until it is disabled. Those still in use enable themselves at their next use.
 *
 * @type {Set<AsyncLocalStorage<unknown>>}
 */
const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...call) {
  used.add(this);
  return run.apply(this, call);
};

module.exports = class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #environment = { ...process.env };
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #exit = process.exit;

  constructor({ projectConfig }) {
    globalThis.global = globalThis;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    for (const storage of used) storage.disable();
    used.clear();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
    for (const name of Reflect.ownKeys(globalThis))
      if (!Object.hasOwn(this.#globals, name)) Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(globalThis, 'console', this.#globals.console);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return OWN_CONTEXT;
  }
};
