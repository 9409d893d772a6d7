import { once } from 'node:events';
import { HOUR_MS } from '../../src/domain/instant';
import { startChildProcess, type RunningProcess } from '../../src/embedded/child-process';
import { restartDelay, Supervisor } from '../../src/embedded/supervisor';
import { endFixtures, fixture, isAlive, startFixture as child } from './fixtures/children';
import { until } from '../support/until';

afterEach(endFixtures);

describe('the supervisor', () => {
  test('starts a child that died again, with the pause of its turn, and says so', async () => {
    const said: string[] = [];
    const restarts: number[] = [];
    const runs: RunningProcess[] = [];
    const supervisor = new Supervisor({
      print: (message) => said.push(message),
      restartDelay: (restart) => {
        restarts.push(restart);
        return 1;
      },
    });
    await supervisor.add({
      name: 'api',
      start: async () => {
        const running = await child();
        runs.push(running);
        return running;
      },
    });
    for (const count of [1, 2, 3]) {
      process.kill(runs.at(-1)?.pid ?? 0, 'SIGKILL');
      await until(() => runs.length === count + 1);
    }
    await supervisor.stop();
    expect(restarts).toEqual([1, 2, 3]);
    expect(said[0]).toBe('api was ended by SIGKILL; it is restarted in 0.001 s');
    expect(runs.map(({ pid }) => isAlive(pid))).toEqual([false, false, false, false]);
  });

  test('tries on when a restart fails, and counts from the beginning after a settled life', async () => {
    const restarts: number[] = [];
    const said: string[] = [];
    let starts = 0;
    let running: RunningProcess | undefined;
    const supervisor = new Supervisor({
      print: (message) => said.push(message),
      stableAfterMs: 0,
      restartDelay: (restart) => {
        restarts.push(restart);
        return 1;
      },
    });
    await supervisor.add({
      name: 'worker',
      start: async () => {
        starts++;
        if (starts === 2) throw new Error('no room');
        return (running = await child());
      },
    });
    process.kill(running?.pid ?? 0, 'SIGKILL');
    await until(() => starts === 3);
    await until(() => running !== undefined && isAlive(running.pid));
    process.kill(running?.pid ?? 0, 'SIGKILL');
    await until(() => starts === 4);
    await supervisor.stop();
    expect(restarts).toEqual([1, 2, 1]);
    expect(said[1]).toMatch(/^worker could not be started \(no room\)/);
  });

  test('stops in the reverse order, each gone before the next is asked, and starts none again', async () => {
    const order: string[] = [];
    const supervisor = new Supervisor({ print: (message) => order.push(message), restartDelay: () => 1 });
    for (const name of ['postgres', 'temporal', 'api']) {
      await supervisor.add({
        name,
        start: async () => {
          const running = await child();
          void running.exited.then(() => order.push(`${name} gone`));
          return {
            ...running,
            stop: (hurry) => {
              order.push(`${name} asked`);
              return running.stop(hurry);
            },
          };
        },
      });
    }
    await supervisor.stop();
    expect(order).toEqual([
      'api asked',
      'api gone',
      'temporal asked',
      'temporal gone',
      'postgres asked',
      'postgres gone',
    ]);
  });

  test('a stop that hurries waits for no grace', async () => {
    const hurry = new AbortController();
    const supervisor = new Supervisor({ print: () => undefined });
    const deaf = await startChildProcess({
      command: process.execPath,
      args: [fixture('stays.js'), 'deaf'],
      env: {},
      log: () => undefined,
      grace: HOUR_MS,
    });
    await supervisor.add({ name: 'deaf', start: () => Promise.resolve(deaf) });
    const stopped = supervisor.stop(hurry.signal);
    hurry.abort();
    await stopped;
    await expect(deaf.exited).resolves.toMatch(/^was ended by SIG(KILL|TERM)$/);
  });

  test('a stop during the pause before a restart ends the pause', async () => {
    let starts = 0;
    const waiting = new EventTarget();
    const pausing = once(waiting, 'pause');
    const supervisor = new Supervisor({
      print: () => waiting.dispatchEvent(new Event('pause')),
      restartDelay: () => HOUR_MS,
    });
    await supervisor.add({
      name: 'api',
      start: async () => {
        starts++;
        return child('short');
      },
    });
    await pausing;
    await supervisor.stop();
    expect(starts).toBe(1);
  });

  test('the first start of a service that cannot start is an error', async () => {
    const supervisor = new Supervisor({ print: () => undefined });
    const failed = supervisor.add({
      name: 'postgres',
      start: () => Promise.reject(new Error('the port is taken')),
    });
    await expect(failed).rejects.toThrow('the port is taken');
    await supervisor.stop();
  });

  test('pauses grow, and never beyond five seconds', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 100, 2_000].map(restartDelay);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
  });
});
