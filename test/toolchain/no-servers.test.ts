test('a pure test finds the address of no server', () => {
  const addresses = Object.keys(process.env).filter((name) => /^(TOLLGATE_TEST|TEMPORAL)_/.test(name));
  expect(addresses).toEqual([]);
});
