/* global document, history, localStorage, location, sessionStorage */
import { createConsentMemory } from '@casement/host/dialogs';
import { createGatewayRequests, openGatewayPort } from '@casement/protocol/ports';
import { createConversation, createGatewayModel, createScriptedModel } from '@casement/chat';
import { ChatShell } from '@casement/react/chat';
import '@casement/react/chat.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { showDemo } from './demo.mjs';

// #region token
// The token opens the gateway: out of the address with it, and kept for reloads of this tab only.
const carried = new URLSearchParams(location.hash.slice(1)).get('token');
if (carried) sessionStorage.setItem('token', carried);
history.replaceState(null, '', location.pathname + location.search);
const gateway = { url: location.origin, token: sessionStorage.getItem('token') ?? '' };
// #endregion

// #region connect
const link = createGatewayRequests(gateway);
const read = async (path) => (await link.get(path)).body;
const { sandbox } = await read('/status');
const names = (await read('/servers')).servers.map(({ name }) => name);
const servers = await Promise.all(names.map((server) => openGatewayPort({ ...gateway, server })));
// #endregion

// #region conversation
const [chosen] = (await read('/models')).models;
const memory = createConsentMemory(localStorage);
const conversation = createConversation({
  model: chosen
    ? createGatewayModel({ ...gateway, model: chosen.id, name: chosen.label })
    : createScriptedModel(),
  servers,
  approvals: memory,
  system: 'Answer briefly. Apps of the tools you call are shown to the user.',
});
// #endregion

if (location.search.includes('demo')) showDemo(conversation);

// #region render
const target = { base: sandbox.base };
const appOptions = { consents: memory };
const onRestartServer = (name) => link.post(`/servers/${encodeURIComponent(name)}/restart`, {});
createRoot(document.getElementById('chat')).render(
  <StrictMode>
    <ChatShell {...{ conversation, servers, appOptions, onRestartServer }} sandbox={target} />
  </StrictMode>,
);
// #endregion
