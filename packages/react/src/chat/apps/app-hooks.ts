import type { Conversation } from '@casement/chat';
import type { HostWords } from '@casement/host';
import type { ConsentDialogs } from '@casement/host/dialogs';
import type { ChatAppOptions } from '../host/chat-host.js';

type Hooks = Required<
  Pick<
    ChatAppOptions,
    | 'onOpenLink'
    | 'onExternalUrl'
    | 'onMessage'
    | 'onDownload'
    | 'onSampling'
    | 'onToolCall'
    | 'createMessage'
    | 'onModelContext'
  >
>;

/**
 * What an app of a conversation may ask for. The user is asked by the page's own hooks, or else by the dialogs of the
 * host; after a yes a message is the conversation's (HOST-060), and so is a question to the model.
 */
export const toAppHooks = (
  given: ChatAppOptions,
  conversation: Conversation,
  container: () => HTMLElement,
  words: NonNullable<HostWords['dialogs']>,
): Hooks => {
  const dialogs = async (): Promise<ConsentDialogs> => {
    const { createConsentDialogs } = await import('@casement/host/dialogs');
    return createConsentDialogs({ container: container(), words });
  };
  return {
    onOpenLink: async (request, asked) =>
      given.onOpenLink ? given.onOpenLink(request, asked) : (await dialogs()).onOpenLink(request, asked),
    onExternalUrl: async (request, asked) =>
      given.onExternalUrl
        ? given.onExternalUrl(request, asked)
        : (await dialogs()).onExternalUrl(request, asked),
    onDownload: async (request, asked) =>
      given.onDownload ? given.onDownload(request, asked) : (await dialogs()).onDownload(request, asked),
    onSampling: async (request, asked) =>
      given.onSampling ? given.onSampling(request, asked) : (await dialogs()).onSampling(request, asked),
    onToolCall: async (request, asked) =>
      given.onToolCall ? given.onToolCall(request, asked) : (await dialogs()).onToolCall(request, asked),
    async onMessage(request, asked) {
      const answer = await (given.onMessage
        ? given.onMessage(request, asked)
        : (await dialogs()).onMessage(request, asked));
      if (answer === false || asked.signal.aborted) return false;
      const { role, content, app } = request;
      // Too many in a row are a no, whatever the user said to each of them.
      return conversation.sendFromApp({ role, content, app }) ? answer : false;
    },
    createMessage: given.createMessage ?? conversation.createMessage,
    // The conversation reads it from the app itself; that somebody listens is what offers it to the app.
    onModelContext: given.onModelContext ?? (() => undefined),
  };
};
