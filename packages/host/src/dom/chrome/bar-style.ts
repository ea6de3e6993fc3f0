/**
 * The look of the line over an app. It lives in a shadow root, so no rule of the page reaches it; the page's standard
 * style variables do (S5-94), each with a value of its own for both themes where the page has none.
 */
export const barStyle = `
:host {
  --quiet-surface: var(--color-background-secondary, light-dark(#f3f5f8, #1e2229));
  --line: var(--color-border-primary, light-dark(#d5dbe2, #333a44));
  --text: var(--color-text-primary, light-dark(#17202b, #eceff3));
  --quiet: var(--color-text-secondary, light-dark(#4f5c6b, #a7b0bd));
  container-type: inline-size;
  flex: none;
  min-width: 0;
  font: 400 12px/1.4 var(--font-sans, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
}
* { box-sizing: border-box; }
.bar {
  display: flex;
  align-items: center;
  gap: 8px;
  min-height: 28px;
  padding: 3px 10px;
  border-bottom: 1px solid var(--line);
  background: var(--quiet-surface);
  color: var(--text);
}
.bar.full { min-height: 34px; padding: 3px 6px 3px 12px; }
:host([data-mode='inline']) .plain { padding-inline: 0; border-bottom-color: transparent; background: none; }
/* On the page's own ground the page's own colour can be read. */
:host([data-mode='inline']) :is(.plain, .plain .from, .plain .status) { color: inherit; }
:host([data-mode='inline']) .minimal .name { display: none; }
.name, .from, .status { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.name { flex: 0 1 auto; min-width: 0; font-size: 13px; font-weight: 600; }
/* Whose the app is has its room before what the app is called. */
.from { flex: none; max-width: 60%; color: var(--quiet); }
.status { flex: 1 1 0; min-width: 0; color: var(--quiet); }
@media (forced-colors: active) { .bar { border-bottom-color: CanvasText; } }
`;
