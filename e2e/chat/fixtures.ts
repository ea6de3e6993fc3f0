import { toApp } from '../support/guest.js';

/**
 * An app with something to lose: a counter, a text field and a list that scrolls. It knows the modes given, or says
 * nothing of them, and has a button that asks for each mode.
 */
export const toKeepingApp = (modes?: readonly string[]): string =>
  toApp(
    `
    document.title = 'keeper';
    document.querySelector('#shown').outerHTML = \`
      <button id="count">0</button>
      <input id="text" aria-label="text">
      <div id="list" tabindex="0">\${Array.from({ length: 40 }, (_, row) => '<p>Row ' + row + '</p>').join('')}</div>
      <p>\${['inline', 'fullscreen', 'pip'].map((mode) => '<button data-mode="' + mode + '">' + mode + '</button>').join(' ')}</p>
      <pre id="answer"></pre>\`;
    count.onclick = () => { count.textContent = Number(count.textContent) + 1; };
    for (const button of document.querySelectorAll('[data-mode]'))
      button.onclick = async () => {
        const { result, error } = await bridge.request('ui/request-display-mode', { mode: button.dataset.mode });
        answer.textContent = result?.mode ?? JSON.stringify(error);
      };
    new ResizeObserver(() =>
      bridge.notify('ui/notifications/size-changed', { height: document.documentElement.getBoundingClientRect().height }),
    ).observe(document.body);
    const { result } = await bridge.initialize({ capabilities: ${modes ? JSON.stringify({ availableDisplayModes: modes }) : '{}'} });
    const show = ({ theme }) => { if (theme) document.documentElement.style.colorScheme = theme; };
    show(result.hostContext);
    globalThis.welcome = result;
    addEventListener('message', ({ data }) => {
      if (data?.method === 'ui/notifications/host-context-changed') show(data.params);
    });`,
    `body { margin: 12px; font: 14px system-ui; color: CanvasText }
    #list { height: 90px; overflow: auto; margin: 8px 0; border: 1px solid GrayText; border-radius: 6px; padding: 0 8px }
    #list p { margin: 4px 0 } #report, [aria-label='in the app'] { display: none }`,
  );
