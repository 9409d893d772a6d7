import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { install, installed } from './cache.mjs';
import { isExecutable, onPath, run } from './commands.mjs';
import { obtain } from './obtain.mjs';
import { progress } from './progress.mjs';
import { downloadAnswers, downloadBySdk } from './sdk-download.mjs';
import { planTestServer, TEST_SERVER_VERSION } from './sources.mjs';

const TOOL = `temporal-test-server-${TEST_SERVER_VERSION}-${process.platform}-${process.arch}`;
const FILE = 'temporal-test-server';

/**
 * The path of Temporal's time-skipping test server, for the SDK's `existing-path`.
 *
 * @param packages resolves when the npm packages are there, which the SDK's download needs
 * @throws Unavailable with one sentence
 */
export async function ensureTestServer(packages, env = process.env) {
  const ready = {
    configured: env.TEMPORAL_TEST_SERVER_PATH || undefined,
    cached: await installed(TOOL, FILE),
  };
  const needed = planTestServer({ ...ready, download: false, maven: false, java: false }).use === undefined;
  const [download, maven, java] = needed
    ? await Promise.all([downloadAnswers(env), onPath('mvn'), findJava(env)])
    : [false];
  return obtain(
    planTestServer({ ...ready, download, maven: maven !== undefined, java: java !== undefined }),
    {
      download: async () => {
        await packages;
        return progress("Downloading Temporal's test server", () =>
          install(TOOL, FILE, (directory) => downloadBySdk('test-server', directory, FILE)),
        );
      },
      maven: () =>
        progress("Getting Temporal's test server with Maven (once)", () =>
          install(TOOL, FILE, (directory) => fromMaven(maven, directory)),
        ),
    },
  );
}

async function findJava(env) {
  const fromHome = env.JAVA_HOME ? path.join(env.JAVA_HOME, 'bin', 'java') : undefined;
  return fromHome !== undefined && (await isExecutable(fromHome)) ? fromHome : onPath('java');
}

async function fromMaven(maven, directory) {
  const work = path.join(directory, 'work');
  await mkdir(work);
  await writeFile(path.join(work, 'pom.xml'), POM);
  await run(
    maven,
    [
      '-B',
      '-q',
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${directory}/lib`,
    ],
    {
      cwd: work,
      seconds: 600,
    },
  );
  await rm(work, { recursive: true });
  await writeFile(path.join(directory, FILE), LAUNCHER, { mode: 0o755 });
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tollgate</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${TEST_SERVER_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/** The watcher ends the server when the test process that started it is gone without having stopped it. */
const LAUNCHER = `#!/bin/sh
parent=$PPID
( while kill -0 "$parent" && kill -0 "$$"; do sleep 2; done; kill "$$" ) >/dev/null 2>&1 </dev/null &
exec "\${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx512m -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`;
