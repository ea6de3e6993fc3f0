import type { SessionFailure } from '@casement/host';
import type { SessionStep } from '@casement/protocol';
import { element, textElement } from './page-elements.js';
import { toPrintable } from './printable-text.js';

const titles: Record<SessionStep, string> = {
  resource: 'The app could not be read',
  sandbox: 'The sandbox did not open',
  html: 'The HTML did not run',
  handshake: 'The app did not begin the handshake',
  initialized: 'The app did not finish the handshake',
  running: 'The app stopped while it was running',
  teardown: 'The app did not close as asked',
};

const track: [SessionStep, string][] = [
  ['resource', 'Resource'],
  ['sandbox', 'Sandbox'],
  ['html', 'HTML'],
  ['handshake', 'Handshake'],
  ['initialized', 'Initialized'],
  ['running', 'Running'],
];

const toTrack = (failed: SessionStep): HTMLElement => {
  const list = document.createElement('ol');
  list.className = 'track';
  const failedAt = track.findIndex(([step]) => step === failed);
  for (const [index, [, name]] of track.entries()) {
    const item = textElement('li', name);
    item.dataset.outcome = index === failedAt ? 'failed' : index < failedAt ? 'done' : 'open';
    if (index === failedAt) item.setAttribute('aria-current', 'step');
    list.append(item);
  }
  return list;
};

let shown: SessionFailure | undefined;

/** Says which step failed, what was seen and what to do; a failure that left the app running is said more quietly. */
export const showFailure = (failure: SessionFailure | undefined, ended: boolean): void => {
  const panel = element('failure', HTMLElement);
  panel.hidden = failure === undefined;
  panel.dataset.ended = String(ended);
  if (failure === shown) return;
  shown = failure;
  if (!failure) {
    panel.replaceChildren();
    return;
  }
  const title = textElement('h2', ended ? titles[failure.step] : 'The app goes on, but something was lost');
  const said = textElement('p', toPrintable(failure.message));
  const hint = textElement('p', toPrintable(failure.hint ?? ''), 'hint');
  panel.replaceChildren(title, said, hint, toTrack(failure.step), textElement('code', failure.code));
  hint.hidden = failure.hint === undefined;
};
