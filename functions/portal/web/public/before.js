// Runs before the app's files are loaded and before anything is painted. A file of its own, because the content
// security policy allows no script inside a page. It must never fail: storage may be closed to the page.
(() => {
  const read = (name) => {
    try {
      return localStorage.getItem(`svc.${name}`) ?? '';
    } catch {
      return '';
    }
  };

  // The theme; without one, the system's is used.
  const theme = read('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

  // A board of who was signed in last: its part of the app, and its cards unless this browser keeps them.
  const [, slug, project] = /^\/o\/([^/]+)\/p\/([^/]+)\/board\/?$/.exec(location.pathname) ?? [];
  if (project === undefined || read('user') === '') return;
  for (const file of document.querySelector('meta[name="svc-board"]')?.content.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (file.endsWith('.css')) link.as = 'style';
    link.href = file;
    document.head.append(link);
  }
  if (read('kept').includes(`"${slug}/${project}"`)) return;
  const path = `/api/v1/orgs/${slug}/projects/${project}/board`;
  const answer = fetch(path, { headers: { accept: 'application/json' } });
  answer.catch(() => {});
  window.svcAhead = { path, answer };
})();
