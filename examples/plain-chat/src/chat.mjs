/* global document, history, location */
import { createConversation, createScriptedModel, isToolPart, toCallItem } from '@casement/chat';
import { mountApp } from '@casement/host';
import { createConsentDialogs } from '@casement/host/dialogs';
import { toPrintable } from '@casement/protocol/basics';
import { createGatewayRequests, openGatewayPort } from '@casement/protocol/ports';

const carried = new URLSearchParams(location.hash.slice(1)).get('token');
if (carried) sessionStorage.setItem('token', carried);
history.replaceState(null, '', location.pathname);
const gateway = { url: location.origin, token: sessionStorage.getItem('token') ?? '' };
const { sandbox } = (await createGatewayRequests(gateway).get('/status')).body;
const server = await openGatewayPort({ ...gateway, server: 'weather' });

// #region plain
// Shows server, tool and arguments as they will be sent, in one dialog after the other.
const dialogs = createConsentDialogs();
let asked = Promise.resolve(false);
const onToolCall = (...call) => (asked = asked.then(() => dialogs.onToolCall(...call)));

const conversation = createConversation({ model: createScriptedModel(), servers: [server], onToolCall });
const [thread, composer] = ['thread', 'composer'].map((id) => document.getElementById(id));
const drawn = new Map(); // elements and apps by the id of their message part

const drawText = (id, text) => {
  if (!drawn.has(id)) drawn.set(id, thread.appendChild(document.createElement('p')));
  drawn.get(id).textContent = toPrintable(text, Infinity, { lines: 'keep' });
};

const drawCall = (part) => {
  const { toolCallId: id, source, tool, state, input, output } = part;
  drawText(id, `${toPrintable(source.tool)} of ${toPrintable(source.server)}: ${state}`);
  const item = toCallItem(part);
  if (!item || !input) return;
  let shown = drawn.get(`${id} app`);
  if (!shown) {
    const place = thread.appendChild(document.createElement('div'));
    const app = mountApp(place, { server, tool, sandbox: { base: sandbox.base }, toolInput: input });
    shown = { app, isTold: false };
    drawn.set(`${id} app`, shown);
    conversation.registerApp({ ...app, id: item.mcp_app_id, toolCallId: id, server });
  }
  if (output && !shown.isTold) {
    shown.isTold = true;
    shown.app.sendToolResult(output);
  }
};

conversation.subscribe(() => {
  for (const { id, parts } of conversation.getSnapshot().messages)
    parts.forEach((part, index) => {
      if (isToolPart(part)) drawCall(part);
      else if (part.type === 'text') drawText(`${id} ${index}`, part.text);
    });
});
composer.addEventListener('submit', (event) => {
  event.preventDefault();
  void conversation.send(composer.elements.text.value);
});
// #endregion
