// Sets the theme before anything is painted. A file of its own, because the content security policy allows no
// script inside a page.
try {
  const theme = localStorage.getItem('svc.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the system's theme is used.
}
