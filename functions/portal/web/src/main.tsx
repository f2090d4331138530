import './styles/tokens.css';
import './styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router';
import { startSession } from './app/session';
import { insist, mendStyles } from './lib/parts';
import { writesLater } from './store/outbox';
import { queries } from './store/queries';
import './store/kinds/item';

writesLater('comment', () => insist(() => import('./store/kinds/comment')));

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

mendStyles();

// Not awaited by this module: parts of the app that are loaded meanwhile import it, and would wait for it.
void begin(root);

async function begin(element: HTMLElement): Promise<void> {
  await startSession();
  // With the screen and what is kept of it at hand, the first frame shows the page itself.
  await router.load();
  // Drawn in slices, between which the page answers.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </CSPProvider>
      </StrictMode>,
    ),
  );
}
