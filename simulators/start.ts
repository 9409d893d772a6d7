import { controlApp } from './control';
import { answerWhenStored } from './core/persistence';
import { createCore, type CoreOptions, type RunningCore } from './core/core';
import { listen } from './core/server';
import { providerA, type ProviderA } from './provider-a';
import { actFromJson, seedFromJson } from './provider-a/seed';
import { providerB, type ProviderB } from './provider-b';
import { providerC, type ProviderC } from './provider-c';
import { actOnProviderC, seedProviderC } from './seed-provider-c';

export interface StartOptions extends CoreOptions {
  /** 0, or no ports, takes free ones. */
  ports?: { a: number; b: number; c: number; control: number };
}

export interface RunningSimulators {
  urls: { a: string; b: string; c: string; control: string };
  core: RunningCore;
  providers: { a: ProviderA; b: ProviderB; c: ProviderC };
  stop(): Promise<void>;
}

/** How often the clock checks for due calls as real time passes. */
const TICK_MS = 500;

/**
 * Runs the providers A, B and C and their control on 127.0.0.1, each on its own port. Their state is in memory, and in
 * a file if one is named: a response is sent after its effect is stored, and the next process continues from it.
 *
 * @throws Error when the state file cannot be read or a port is taken
 */
export async function startSimulators(options: StartOptions = {}): Promise<RunningSimulators> {
  const core = createCore(options);
  const providers = { a: providerA(core), b: providerB(core), c: providerC(core) };
  const control = controlApp(core, {
    a: {
      seed: (json) => seedFromJson(providers.a, json),
      act: (json) => actFromJson(providers.a, json),
    },
    b: { seed: (json) => providers.b.seed(json), act: (json) => providers.b.act(json) },
    c: {
      seed: (json) => seedProviderC(providers.c, json),
      act: (json) => actOnProviderC(providers.c, json),
    },
  });
  const apps = { a: providers.a.app, b: providers.b.app, c: providers.c.app, control };
  for (const { middleware } of Object.values(apps)) middleware.unshift(answerWhenStored(core.persistence));
  const ports = options.ports ?? { a: 0, b: 0, c: 0, control: 0 };
  core.persistence.load(core.clock.real());
  await core.clock.catchUp();
  const stopTicking = core.clock.tick(TICK_MS);
  const servers = {
    a: await listen(apps.a, ports.a),
    b: await listen(apps.b, ports.b),
    c: await listen(apps.c, ports.c),
    control: await listen(apps.control, ports.control),
  };
  const { a, b, c } = servers;
  core.outbox.resume();
  return {
    urls: { a: a.url, b: b.url, c: c.url, control: servers.control.url },
    core,
    providers,
    stop: async () => {
      stopTicking();
      await Promise.all([core.outbox.stop(), ...Object.values(servers).map(({ stop }) => stop())]);
      await core.persistence.stop();
    },
  };
}
