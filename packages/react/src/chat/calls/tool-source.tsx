import type { ToolSource } from '@casement/chat';
import { toPrintable } from '@casement/protocol/basics';
import type { ChatWords } from '../host/chat-words.js';
import { useWords } from '../host/use-words.js';

/** Whose tool it is, in words: the server, or the app with its version and the server it is of (HOST-096). */
export const toSourceWords = (source: ToolSource, words: ChatWords): string => {
  const server = toPrintable(source.server, 80);
  if (source.kind === 'server') return words.serverTool(server);
  const { name, version } = source.app ?? {};
  return words.appTool(
    name === undefined ? words.unknownApp : toPrintable(name, 80),
    version === undefined ? undefined : toPrintable(version, 40),
    server,
  );
};

/** A tool's name and whose it is; one of an app has a mark, so that it looks unlike one of a server (HOST-096). */
export const ToolName = ({ source, name }: { readonly source: ToolSource; readonly name?: string }) => {
  const words = useWords();
  return (
    <span className="casement-tool-name" data-source={source.kind}>
      {source.kind === 'app' && (
        <span className="casement-mark" data-source="app">
          {words.appMark}
        </span>
      )}
      <b>{toPrintable(name ?? source.tool, 120)}</b>
      <span className="casement-note">{toSourceWords(source, words)}</span>
    </span>
  );
};
