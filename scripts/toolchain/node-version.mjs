/** Imported first by every script: an older Node fails here with a sentence instead of a syntax error later. */
const wanted = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  console.error(
    `Tollgate needs Node ${wanted.join('.')} or newer (22 or 24 recommended); this is ${process.version}: install one from https://nodejs.org.`,
  );
  process.exit(1);
}
if (process.platform === 'win32') {
  console.error('Tollgate runs on Linux and macOS; on Windows, run it inside WSL or with docker compose.');
  process.exit(1);
}
