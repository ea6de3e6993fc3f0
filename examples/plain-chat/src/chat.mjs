/* global confirm, document, history, location */
import { createConversation, createScriptedModel, isToolPart, toCallItem } from '@casement/chat';
import { mountApp } from '@casement/host';
import { createGatewayLink, openGatewayPort } from '@casement/protocol/ports';

const carried = new URLSearchParams(location.hash.slice(1)).get('token');
if (carried) sessionStorage.setItem('token', carried);
history.replaceState(null, '', location.pathname);
const gateway = { url: location.origin, token: sessionStorage.getItem('token') ?? '' };
const { sandbox } = (await createGatewayLink(gateway).get('/status')).body;
const server = await openGatewayPort({ ...gateway, server: 'weather' });

// #region plain
const conversation = createConversation({ model: createScriptedModel(), servers: [server] });
const [thread, composer] = ['thread', 'composer'].map((id) => document.getElementById(id));
const drawn = new Map(); // elements and apps by the id of their message part

const drawText = (id, text) => {
  if (!drawn.has(id)) drawn.set(id, thread.appendChild(document.createElement('p')));
  drawn.get(id).textContent = text;
};

const drawCall = (part) => {
  const { toolCallId: id, tool, state, input, output } = part;
  drawText(id, `${tool?.name}: ${state}`);
  if (state === 'approval-requested' && !drawn.has(`${id} asked`)) {
    drawn.set(`${id} asked`, true);
    conversation.answerApproval(id, confirm(`Call ${tool.name}?`));
  }
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
