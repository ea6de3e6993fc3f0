/**
 * The look of the dialogs, in a shadow root. Head and buttons have their place and only the middle scrolls: however
 * long a foreign text is, it moves nothing (E09).
 */
export const dialogStyle = `
:host {
  --surface: var(--color-background-primary, light-dark(#ffffff, #1b1f26));
  --quiet-surface: var(--color-background-secondary, light-dark(#f3f5f8, #262b34));
  --line: var(--color-border-primary, light-dark(#d5dbe2, #3a424e));
  --text: var(--color-text-primary, light-dark(#17202b, #eceff3));
  --quiet: var(--color-text-secondary, light-dark(#4f5c6b, #a7b0bd));
  --ring: var(--color-ring-primary, light-dark(#1f6fc9, #72b0f7));
  --warn-surface: var(--color-background-warning, light-dark(#fdf3dd, #3d2f10));
  --warn: var(--color-text-warning, light-dark(#7a5200, #f3c566));
  --accent: var(--casement-accent, light-dark(#1a63b8, #2a6fbe));
  --accent-strong: var(--casement-accent-strong, var(--casement-accent, light-dark(#12539f, #2464ad)));
  --on-accent: var(--casement-on-accent, #ffffff);
}
* { box-sizing: border-box; margin: 0; }
[hidden] { display: none !important; }
dialog {
  position: fixed;
  inset: 0;
  width: min(460px, calc(100vw - 24px));
  max-width: none;
  max-height: calc(100vh - 24px);
  max-height: calc(100dvh - 24px);
  margin: auto;
  padding: 0;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: var(--border-radius-lg, 12px);
  background: var(--surface);
  box-shadow: var(--shadow-lg, 0 10px 34px rgb(0 0 0 / 28%));
  color: var(--text);
  font: 400 14px/1.45 var(--font-sans, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  letter-spacing: normal;
  text-align: start;
}
dialog.wide { width: min(860px, calc(100vw - 24px)); }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 48%); }
.body { display: grid; gap: 10px; min-height: 0; padding: 18px 20px 14px; overflow: auto; overscroll-behavior: contain; }
h2 { font-size: 14px; font-weight: 600; color: var(--quiet); }
.subject {
  max-height: 5.6em;
  overflow: auto;
  direction: ltr;
  font-size: 18px;
  font-weight: 650;
  line-height: 1.4;
  overflow-wrap: anywhere;
  unicode-bidi: isolate;
}
/* The right end of a name decides: it is never what is out of sight. */
.subject.host { max-height: none; overflow: visible; }
.host .front { color: var(--quiet); font-weight: 400; }
.host.long .front { display: block; font-size: 14px; }
.host .end { font-weight: 650; }
.asker { color: var(--quiet); overflow-wrap: anywhere; unicode-bidi: isolate; }
.warning { padding: 8px 10px; border-radius: 7px; background: var(--warn-surface); color: var(--warn); }
.cut {
  display: flex;
  gap: 10px;
  align-items: center;
  justify-content: space-between;
  padding: 6px 6px 6px 10px;
  border-radius: 7px;
  background: var(--warn-surface);
  color: var(--warn);
  font-size: 13px;
}
.show-all { flex: none; min-width: 0; min-height: 28px; font-weight: 600; }
.detail, .items {
  max-height: 160px;
  padding: 8px 10px;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 7px;
  background: var(--quiet-surface);
  font: 12px/1.5 var(--font-mono, ui-monospace, Menlo, 'DejaVu Sans Mono', monospace);
  overflow-wrap: anywhere;
  unicode-bidi: plaintext;
  white-space: pre-wrap;
}
.whole { max-height: min(60vh, 720px); }
.whole .piece { content-visibility: auto; contain-intrinsic-size: auto 1200px; }
.text + .text { margin-top: 10px; }
.label { color: var(--quiet); font-family: var(--font-sans, system-ui, sans-serif); font-weight: 600; }
.pictures { display: flex; flex-wrap: wrap; gap: 8px; }
.pictures.whole { overflow: auto; }
.pictures img { max-width: 100%; max-height: 140px; border: 1px solid var(--line); border-radius: 7px; object-fit: contain; }
.address { direction: ltr; unicode-bidi: isolate; }
.address b { display: inline-block; max-width: 100%; }
.items { display: grid; align-content: start; gap: 4px; list-style: none; white-space: normal; }
.items li { display: flex; gap: 12px; justify-content: space-between; }
.items .name { direction: ltr; min-width: 0; unicode-bidi: isolate; }
.items .note { flex: none; max-width: 50%; color: var(--quiet); }
.always { display: flex; gap: 8px; align-items: flex-start; overflow-wrap: anywhere; font-size: 13px; }
.always input { flex: none; width: 16px; height: 16px; margin: 2px 0 0; accent-color: var(--casement-accent, light-dark(#1a63b8, #5aa2ee)); }
.actions {
  display: flex;
  flex: none;
  gap: 8px;
  justify-content: flex-end;
  padding: 12px 20px 16px;
  border-top: 1px solid var(--line);
}
button {
  min-width: 88px;
  min-height: 34px;
  padding: 4px 14px;
  border: 1px solid var(--line);
  border-radius: var(--border-radius-sm, 6px);
  background: var(--surface);
  color: var(--text);
  font: inherit;
  cursor: pointer;
}
button:hover { border-color: var(--quiet); }
button.allow { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.allow:hover { background: var(--accent-strong); }
button[aria-disabled='true'], input[aria-disabled='true'] { cursor: default; }
button.allow[aria-disabled='true'] { background: light-dark(#5b6773, #4a5563); color: #ffffff; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
@media (pointer: coarse) { button { min-height: 44px; } .always { padding-block: 6px; } }
@media (forced-colors: active) { button.allow { border-color: ButtonText; } }
`;
