/** A pure test finds no server, in a run of everything as in a run of its own. */
for (const name of Object.keys(process.env))
  if (/^(TOLLGATE_TEST|TEMPORAL)_/.test(name)) delete process.env[name];
