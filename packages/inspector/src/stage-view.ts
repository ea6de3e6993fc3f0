import type { AppSnapshot } from '@casement/host';
import { showFailure } from './failure-view.js';
import { element, textElement } from './page-elements.js';
import { toPrintable } from './printable-text.js';
import type { CallState, Stage } from './stage.js';
import { showState } from './state-view.js';

const toDuration = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

const toCallText = (call: CallState): string => {
  if (call.status === 'running') return 'Running…';
  if (call.status === 'cancelled') return `Cancelled after ${toDuration(call.ms)}`;
  if (call.status === 'failed') return `Failed after ${toDuration(call.ms)}`;
  if (call.status === 'done')
    return `${call.result.isError ? 'Tool error' : 'Done'} in ${toDuration(call.ms)}`;
  return '';
};

const toResultText = (call: CallState): string => {
  if (call.status !== 'done') return '';
  const texts = (call.result.content ?? []).map((block) =>
    'text' in block && typeof block.text === 'string' ? block.text : `[${block.type}]`,
  );
  return toPrintable(texts.join('\n'), 20_000);
};

const showCallProblem = (call: CallState): void => {
  const problem = element('call-problem', HTMLElement);
  if (call.status !== 'failed') {
    problem.replaceChildren();
    return;
  }
  const { message, hint, code } = call.error;
  const said = toPrintable([message, hint].filter(Boolean).join(' '), 1_000);
  problem.replaceChildren(`${said} `, textElement('code', code));
};

/** The tool's text stands in for the app whenever no app is there to show it. */
const showToolText = (call: CallState, snapshot: AppSnapshot | undefined): void => {
  const text = toResultText(call);
  const shown = snapshot !== undefined && !['failed', 'closed'].includes(snapshot.status);
  const panel = element('tool-result', HTMLElement);
  panel.hidden = text === '' || shown;
  const holder = panel.querySelector('[data-tool-text]');
  if (holder && holder.textContent !== text) holder.textContent = text;
};

const showControls = (call: CallState, snapshot: AppSnapshot | undefined): void => {
  const there = snapshot !== undefined && snapshot.status !== 'closed';
  element('cancel', HTMLButtonElement).disabled = call.status !== 'running';
  element('reload', HTMLButtonElement).disabled = !there || snapshot.status === 'tearing-down';
  element('close', HTMLButtonElement).disabled = !there || snapshot.status === 'tearing-down';
  const modes = element('display-mode', HTMLSelectElement);
  modes.disabled = snapshot?.status !== 'ready';
  modes.value = snapshot?.displayMode ?? 'inline';
  const declared = snapshot?.appCapabilities?.availableDisplayModes;
  // An app that declares its modes is never moved to another one.
  for (const option of modes.options)
    option.disabled = declared !== undefined && !declared.some((mode) => mode === option.value);
};

const showStatus = (snapshot: AppSnapshot | undefined): void => {
  const stage = element('stage', HTMLElement);
  const status = snapshot?.status ?? 'idle';
  // The documented words have none for the moments of teardown: the last one stays until the app is gone.
  if (status !== 'tearing-down') stage.dataset.appStatus = status;
  stage.dataset.appFailure = snapshot?.failure?.code ?? '';
  stage.dataset.appEpoch = String(snapshot?.epoch ?? 0);
  document.documentElement.dataset.displayMode =
    snapshot && ['closed', 'failed'].includes(snapshot.status)
      ? 'inline'
      : (snapshot?.displayMode ?? 'inline');
  const badge = element('status-badge', HTMLElement);
  badge.textContent = status;
  badge.dataset.status = status;
  const info = snapshot?.appInfo;
  element('app-name', HTMLElement).textContent = info
    ? toPrintable(`${info.title ?? info.name} ${info.version ?? ''}`, 80)
    : '';
};

const showPlaceholder = (call: CallState, snapshot: AppSnapshot | undefined): void => {
  const placeholder = element('placeholder', HTMLElement);
  const waiting =
    snapshot !== undefined && ['idle', 'loading', 'sandbox', 'handshake'].includes(snapshot.status);
  placeholder.hidden = !waiting && snapshot !== undefined && snapshot.status !== 'closed';
  if (waiting) placeholder.textContent = 'Loading the app…';
  else if (snapshot) placeholder.textContent = 'The app is closed.';
  else if (call.status === 'none')
    placeholder.textContent = 'Select a tool and run it: its app is shown here.';
  else placeholder.textContent = 'This tool has no app; its result is below.';
};

const refreshMs = 20;

/** Keeps the page in step with the stage; changes that come in a burst are shown together. */
export const createStageView = (stage: Stage): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    timer = undefined;
    const call = stage.call();
    const snapshot = stage.snapshot();
    element('call-state', HTMLElement).textContent = toCallText(call);
    showCallProblem(call);
    showStatus(snapshot);
    showControls(call, snapshot);
    showPlaceholder(call, snapshot);
    showFailure(snapshot?.failure, snapshot?.status === 'failed');
    showToolText(call, snapshot);
    showState(snapshot);
  };
  stage.subscribe(() => {
    // Automation reads the attributes, and must not miss a state that lasts a moment.
    showStatus(stage.snapshot());
    timer ??= setTimeout(show, refreshMs);
  });
  show();
};
