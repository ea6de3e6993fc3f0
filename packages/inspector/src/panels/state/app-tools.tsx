import type { AppSnapshot, AppTool } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { Disclosure } from '../../parts/disclosure.js';
import { JsonText } from '../../parts/json-text.js';
import { Section } from '../../parts/section.js';
import { ToolHints } from '../../servers/tool-hints.js';
import { AppToolCall, type CallAppTool } from './app-tool-call.js';

const ToolItem = ({ appTool, onCall }: { appTool: AppTool; onCall: CallAppTool }) => {
  const { tool, qualifiedName, callable } = appTool;
  return (
    <li className="app-tool">
      <h4>{toPrintable(tool.title ?? tool.name, 80)}</h4>
      <p>
        <code>{toPrintable(tool.name, 120)}</code>, for a model <code>{toPrintable(qualifiedName, 200)}</code>
      </p>
      {tool.description !== undefined && <p>{toPrintable(tool.description, 600)}</p>}
      <ToolHints annotations={tool.annotations} />
      <Disclosure title="Schema">
        <JsonText value={tool.inputSchema} name={`Schema of ${toPrintable(tool.name, 60)}`} />
      </Disclosure>
      {callable ? (
        <AppToolCall name={tool.name} onCall={onCall} />
      ) : (
        <p className="panel-note">Announced in an older dialect that has no way to call it.</p>
      )}
    </li>
  );
};

/** The tools the app offers to the model, each with a way to try it. */
export const AppTools = ({ snapshot, onCall }: { snapshot: AppSnapshot; onCall: CallAppTool }) => {
  const { appTools, appInfo, appCapabilities } = snapshot;
  if (appCapabilities?.tools === undefined && appTools.length === 0) return null;
  const source = appInfo ? `${appInfo.name} ${appInfo.version ?? ''}`.trim() : 'the app';
  return (
    <Section
      title={`Tools of the app (${appTools.length})`}
      note={`Offered by ${toPrintable(source, 80)} while it is there; gone with it. Nothing vouches for what they do.`}
    >
      {appTools.length === 0 ? (
        <p>The app says it offers tools, but lists none now.</p>
      ) : (
        <ul className="app-tools">
          {appTools.map((appTool) => (
            <ToolItem key={appTool.qualifiedName} appTool={appTool} onCall={onCall} />
          ))}
        </ul>
      )}
    </Section>
  );
};
