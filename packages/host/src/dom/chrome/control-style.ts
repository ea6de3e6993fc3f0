/** The look of the controls, on top of that of the bar. */
export const controlStyle = `
:host {
  --surface: var(--color-background-primary, light-dark(#ffffff, #16191e));
  --ring: var(--color-ring-primary, light-dark(#1f6fc9, #72b0f7));
  --warn-surface: var(--color-background-warning, light-dark(#fdf3dd, #3d2f10));
  --warn: var(--color-text-warning, light-dark(#7a5200, #f3c566));
  --bad-surface: var(--color-background-danger, light-dark(#fdecea, #42191a));
  --bad: var(--color-text-danger, light-dark(#a3211b, #ff9d94));
}
[hidden] { display: none !important; }
p, ul { margin: 0; padding: 0; }
:host(:not([data-mode='inline'])) .bar { min-height: 40px; padding: 4px 6px 4px 12px; }
:host([data-mode='inline']) .close { display: none; }
/* A floating card is dragged by its bar. */
:host([data-movable]) .bar { cursor: grab; touch-action: none; user-select: none; }
:host([data-movable]) .bar:active { cursor: grabbing; }
.row {
  display: flex;
  align-items: flex-start;
  gap: 8px;
  padding: 5px 6px 5px 10px;
  border-bottom: 1px solid var(--line);
  background: var(--surface);
  color: var(--text);
}
.row > .text { flex: 1; min-width: 0; padding-block: 3px; overflow-wrap: anywhere; unicode-bidi: isolate; }
.row.warn { background: var(--warn-surface); color: var(--warn); align-items: center; flex-wrap: wrap; }
.row.bad { padding: 10px 12px; border-bottom: 0; background: var(--bad-surface); color: var(--bad); flex-wrap: wrap; }
.row.warn > .text, .row.bad > .text { flex: 1 1 200px; }
.strong { font-weight: 600; }
summary { cursor: pointer; border-radius: 4px; }
ul { padding: 4px 0 0 16px; }
.actions { display: flex; flex: none; gap: 6px; }
button {
  flex: none;
  min-height: 26px;
  padding: 2px 10px;
  border: 1px solid var(--line);
  border-radius: var(--border-radius-sm, 5px);
  background: var(--surface);
  color: var(--text);
  font: inherit;
  white-space: nowrap;
  cursor: pointer;
}
button:hover { border-color: var(--quiet); }
.bar button { min-height: 30px; font-size: 13px; }
/* In a message the controls wait quietly. */
:host([data-mode='inline']) .bar button { min-height: 26px; padding-inline: 8px; border-color: transparent; background: none; color: var(--quiet); }
:host([data-mode='inline']) .bar button:hover { border-color: var(--line); background: var(--surface); color: var(--text); }
:host([data-mode='inline']) .plain button { color: inherit; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 1px; }
/* In a narrow place the names come first; in front of the page only the way back does. */
@container (width < 520px) {
  :host(:not([data-mode='inline'])) .bar button:not(.close, .move) { display: none; }
  :host([data-mode='inline']) .bar.full { flex-wrap: wrap; gap: 2px 8px; padding-block: 6px 3px; }
  :host([data-mode='inline']) .full .name { max-width: 60%; }
  :host([data-mode='inline']) .full .status { flex: 1 0 100%; }
}
@media (pointer: coarse) { button, .bar button { min-height: 40px; } }
@media (forced-colors: active) { .row { border-bottom-color: CanvasText; } }
`;
