import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  build: { outDir: '../dist/portal-page', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
