/** Hides servers from pure tests, so that they behave the same in a full run as when run alone. */
for (const name of Object.keys(process.env))
  if (/^(TOLLGATE_TEST|TEMPORAL)_/.test(name)) delete process.env[name];
