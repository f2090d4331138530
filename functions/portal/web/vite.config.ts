import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the dev server finds the API; `svc-server --demo` listens here by default. */
const SERVICE = process.env.SVC_URL ?? 'http://127.0.0.1:8080';

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Barrels import all that they have: icons, and queries that go on page by page, which no first screen has. */
const OF_BARRELS = /\/lucide-react\/|\/(infiniteQueryObserver|useInfiniteQuery)\.js/;

/**
 * A chunk of everything that a module needs at once. Many small files compress worse and are more requests. What is
 * loaded on intent is cut by the bundler.
 */
function chunkOf(name: string, entry: string, priority: number) {
  let needed: Set<string> | undefined;
  return {
    debugName: name,
    name: (id: string, graph: Graph): string | null => {
      needed ??= reached(fileURLToPath(new URL(entry, import.meta.url)), graph);
      return needed.has(id) ? name : null;
    },
    priority,
  };
}

function reached(entry: string, graph: Graph): Set<string> {
  const found = new Set<string>();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || OF_BARRELS.test(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** What every page needs; what the board needs beside it; and one chunk of all other icons, which are a few lines each. */
const CHUNKS = [
  chunkOf('first', 'src/main.tsx', 2),
  chunkOf('board', 'src/screens/board/index.tsx', 1),
  { name: 'icons', test: /lucide-react.*icons/, priority: 0 },
];

/** Names the board's files in the page, so that `public/before.js` can load them beside the first ones. */
function namesBoard(): Plugin {
  return {
    name: 'names-board',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {}).filter((file) =>
          /^assets\/board-[^/]+\.(js|css)$/.test(file),
        );
        const content = files.map((file) => `/${file}`).join(' ');
        return [{ tag: 'meta', attrs: { name: 'svc-board', content }, injectTo: 'head-prepend' }];
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), namesBoard()],
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
    // The first load names every other chunk: the shorter, the quicker.
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
  worker: { format: 'es' },
});
