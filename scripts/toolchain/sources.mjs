/**
 * Where a tool comes from, decided from what is there. Pure: the looking and the getting are elsewhere.
 *
 * A plan is either `{ use }` (a program to use as it is), or `{ tries }` (ways to get one, best first), with
 * `otherwise`, the sentence for when none works.
 */

/** The Temporal server: newer versions of the CLI have replace directives, which `go install` refuses. */
export const CLI_VERSION = '1.5.1';
export const TEST_SERVER_VERSION = '1.38.0';

/**
 * @param there.configured the value of TEMPORAL_CLI_PATH
 * @param there.onPath the path of a `temporal` program on the PATH
 * @param there.cached the path of an earlier download or build
 * @param there.download whether the SDK's download site answers
 * @param there.go whether Go is installed
 */
export function planTemporalCli(there) {
  const use = there.configured ?? there.onPath ?? there.cached;
  if (use !== undefined)
    return { use, named: there.configured === undefined ? undefined : 'TEMPORAL_CLI_PATH' };
  return {
    tries: [...(there.download ? ['download'] : []), ...(there.go ? ['go'] : [])],
    otherwise:
      'Temporal could not be had: install the temporal program (https://docs.temporal.io/cli) or Go, or set TEMPORAL_CLI_PATH to the program or TEMPORAL_ADDRESS to a running server.',
  };
}

/**
 * @param there.configured the value of TEMPORAL_TEST_SERVER_PATH
 * @param there.cached the path of an earlier download
 * @param there.download whether the SDK's download site answers
 * @param there.maven whether Maven is installed
 * @param there.java whether a Java runtime is installed
 */
export function planTestServer(there) {
  const use = there.configured ?? there.cached;
  if (use !== undefined)
    return { use, named: there.configured === undefined ? undefined : 'TEMPORAL_TEST_SERVER_PATH' };
  return {
    tries: [...(there.download ? ['download'] : []), ...(there.maven && there.java ? ['maven'] : [])],
    otherwise:
      "Temporal's time-skipping test server could not be had: install Java 11 or newer and Maven, or set TEMPORAL_TEST_SERVER_PATH to the program.",
  };
}

/**
 * @param there.configured the value of CLIENT_PYTHON_PATH
 * @param there.version of the Python on the PATH, such as 3.11
 * @param there.cached the path of an earlier installation for this version
 * @param there.pip whether it has pip
 * @param there.venv whether it can make virtual environments
 */
export function planClientPython(there) {
  const otherwise =
    'openapi-python-client could not be had: install Python 3.11 or newer with pip (on Debian: python3-pip), or set CLIENT_PYTHON_PATH to a Python that has it.';
  if (there.configured !== undefined) return { use: there.configured, named: 'CLIENT_PYTHON_PATH' };
  const [major = 0, minor = 0] = (there.version ?? '').split('.').map(Number);
  if (major !== 3 || minor < 11) return { tries: [], otherwise };
  if (there.cached !== undefined) return { use: there.cached };
  return { tries: [...(there.pip ? ['pip'] : []), ...(there.venv ? ['venv'] : [])], otherwise };
}

/**
 * A program that the tests use where it can be had, from Debian's package.
 *
 * @param there.configured the value of `tool.variable`
 * @param there.onPath the path of the program on the PATH
 * @param there.cached the path of an earlier download
 * @param there.apt whether Debian's apt-get and dpkg-deb are installed
 * @param tool its `program`, `variable` and Debian's `package`
 */
export function planDebianProgram(there, { program, variable, package: name }) {
  const use = there.configured ?? there.onPath ?? there.cached;
  if (use !== undefined) return { use, named: there.configured === undefined ? undefined : variable };
  return {
    tries: there.apt ? ['debian'] : [],
    otherwise: `${program} could not be had: install it (on Debian: apt-get install ${name}), or set ${variable} to the program.`,
  };
}
