import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The console host that `npm run console:dev` calls. */
const host = process.env['TOLLGATE_CONSOLE_URL'] ?? 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The console host puts a nonce of its own into each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { outDir: '../dist/console-page', emptyOutDir: true, modulePreload: { polyfill: false } },
  server: {
    host: '127.0.0.1',
    // The API takes changes from its own origin only.
    proxy: Object.fromEntries(
      ['/api', '/docs', '/openapi.json'].map((path) => [
        path,
        { target: host, changeOrigin: true, headers: { origin: host } },
      ]),
    ),
  },
});
