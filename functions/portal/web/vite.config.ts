import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the dev server finds the API; `svc-server --demo` listens here by default. */
const SERVICE = process.env.SVC_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: {
    proxy: Object.fromEntries(['/api', '/openapi', '/docs'].map((path) => [path, SERVICE])),
  },
  build: {
    target: 'es2022',
    cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    // The content security policy knows no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    // public/.gitkeep is copied: without the folder Cargo would rebuild the portal each time.
    emptyOutDir: true,
  },
  worker: { format: 'es' },
});
