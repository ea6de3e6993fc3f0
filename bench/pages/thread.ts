import type { ConversationMessage } from '@casement/chat';
import { createConversation, createScriptedModel } from '@casement/chat';
import { ChatShell } from '@casement/react/chat';
import '@casement/react/chat.css';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { benchUri, createBenchServer } from './bench-server.js';
import './bench-settings.js';
import { watchThread } from './long-tasks.js';

interface ThreadOptions {
  readonly messages: number;
  readonly apps: number;
  /** Pixels scrolled per painted frame. */
  readonly step: number;
  /** How long the page is left alone before and after, in ms. */
  readonly settleMs: number;
}

/** The longest tasks of the page's thread in ms, and how many apps were mounted when. */
interface ThreadOutcome {
  opening: number;
  scrolling: number;
  gap: number;
  mountedAtFirst: number;
  mountedAtEnd: number;
}

declare global {
  interface Window {
    runThread(options: ThreadOptions): Promise<ThreadOutcome>;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const paint = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

const toMessages = ({ messages, apps }: ThreadOptions): ConversationMessage[] => {
  const every = Math.floor(messages / apps);
  return Array.from({ length: messages }, (_, index): ConversationMessage => {
    const text = `Message ${index}: ${'what is said in a conversation, again and again. '.repeat(4)}`;
    const id = `message-${index}`;
    const isApp = index % every === every - 1 && index < every * apps;
    if (!isApp) return { id, role: index % 2 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text }] };
    const item = {
      response_type: 'mcp_app',
      title: `App ${index}`,
      mcp_app_id: `app-${index}`,
      resource_uri: benchUri,
      server: 'bench',
    } as const;
    return { id, role: 'assistant', parts: [{ type: 'mcp-app', item }] };
  });
};

/** A conversation opened at its beginning and read to its end. */
window.runThread = async (options) => {
  const { html, sandboxBase } = window.benchSettings;
  const watch = watchThread();
  const server = createBenchServer(html);
  const conversation = createConversation({
    model: createScriptedModel(),
    servers: [server],
    messages: toMessages(options),
  });
  const place = document.body.appendChild(document.createElement('div'));
  place.style.height = '900px';
  const root = createRoot(place);
  root.render(createElement(ChatShell, { conversation, servers: [server], sandbox: { base: sandboxBase } }));
  await pause(1_000);
  const scroller = place.querySelector('.casement-scroll');
  if (!scroller) throw new Error('The chat has no place that scrolls.');
  scroller.scrollTop = 0;
  await pause(options.settleMs);
  const count = (): number => place.querySelectorAll('iframe').length;
  const mountedAtFirst = count();
  const { longest: opening } = watch.take();
  while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
    scroller.scrollTop += options.step;
    await paint();
  }
  await pause(options.settleMs);
  const { longest: scrolling, gap } = watch.take();
  watch.stop();
  const outcome = { opening, scrolling, gap, mountedAtFirst, mountedAtEnd: count() };
  root.unmount();
  conversation.close();
  return outcome;
};
