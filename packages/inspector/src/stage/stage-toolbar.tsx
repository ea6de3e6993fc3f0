import type { AppSnapshot } from '@casement/host';
import type { DisplayMode } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { NamedFamily } from './stage-types.js';
import { familyNames } from '../servers/tool-order.js';
import {
  messageOffers,
  storages,
  themes,
  widths,
  type MessageOffer,
  type StorageName,
  type ThemeName,
  type WidthName,
} from '../address/view-settings.js';
import { LabelledSelect } from '../parts/labelled-select.js';
import { useInspector, useValue } from '../use-inspector.js';
import { WatchSwitch } from '../watch/watch-switch.js';

const modes: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip'];

const families: readonly NamedFamily[] = ['mcp-apps', 'openai'];

const widthNames: Record<WidthName, string> = { full: 'full', tablet: 'tablet 768', phone: 'phone 390' };

const locales = ['en-US', 'de-DE', 'fr-FR', 'pt-BR', 'ja-JP', 'zh-CN', 'hi-IN', 'ar-EG', 'he-IL'];

const toAppName = (snapshot: AppSnapshot | undefined): string => {
  const info = snapshot?.appInfo;
  return info ? toPrintable(`${info.title ?? info.name} ${info.version ?? ''}`, 80) : '';
};

const isSilent = (snapshot: AppSnapshot | undefined): boolean =>
  snapshot?.status === 'ready' && snapshot.failure?.code === 'app-not-responding';

const endings: Partial<Record<string, string>> = {
  'app-crashed': 'crashed',
  'app-stopped': 'stopped',
  'keyboard-taken': 'stopped',
};

/** Also while it closes: a user who does not want to wait for that can end it. */
const isEndable = (status: AppSnapshot['status']): boolean =>
  status !== 'idle' && status !== 'closed' && status !== 'failed';

const toStatusText = (snapshot: AppSnapshot | undefined): string => {
  if (isSilent(snapshot)) return 'not responding';
  const status = snapshot?.status ?? 'idle';
  return status === 'failed' ? (endings[snapshot?.failure?.code ?? ''] ?? status) : status;
};

/** The controls over the app: how it is shown, in what surroundings, and its end. */
export const StageToolbar = () => {
  const { settings, shown, stage } = useInspector();
  const { theme, width, locale, messages, storage } = useValue(settings);
  const { snapshot, family, staged } = useValue(shown);
  const status = snapshot?.status ?? 'idle';
  const there = snapshot !== undefined && status !== 'closed' && status !== 'tearing-down';
  const declared = snapshot?.appCapabilities?.availableDisplayModes;
  const offered = locale === '' || locales.includes(locale) ? locales : [locale, ...locales];
  return (
    <div className="toolbar" role="group" aria-label="App">
      <div className="who">
        <span className="badge" data-status={isSilent(snapshot) ? 'failed' : status}>
          {toStatusText(snapshot)}
        </span>
        <span className="app-name">{toAppName(snapshot)}</span>
        {staged && <span className="app-from">App from {toPrintable(staged.port.name, 40)}</span>}
      </div>
      <div className="actions">
        <button type="button" disabled={!there} onClick={() => stage.reload()}>
          Reload app
        </button>
        <button type="button" disabled={!there} onClick={() => void stage.close()}>
          Close app
        </button>
        <button
          type="button"
          disabled={!isEndable(status)}
          title="Ends the app at once, without asking it"
          onClick={() => stage.stop()}
        >
          Stop app
        </button>
      </div>
      <div className="surroundings">
        <WatchSwitch />
        {family && (
          <LabelledSelect<NamedFamily>
            label="Family"
            value={family}
            options={families.map((value) => ({ value, label: familyNames[value] }))}
            onChange={(next) => stage.showAs(next)}
          />
        )}
        <LabelledSelect
          label="Display mode"
          value={snapshot?.displayMode ?? 'inline'}
          disabled={status !== 'ready'}
          // An app that declares its modes is never moved to another one.
          options={modes.map((mode) => ({
            value: mode,
            disabled: declared !== undefined && !declared.includes(mode),
          }))}
          onChange={(mode) => stage.setDisplayMode(mode)}
        />
        <LabelledSelect<WidthName>
          label="Width"
          value={width}
          options={widths.map((value) => ({ value, label: widthNames[value] }))}
          onChange={(next) => settings.change({ width: next })}
        />
        <LabelledSelect<ThemeName>
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value }))}
          onChange={(next) => settings.change({ theme: next })}
        />
        <LabelledSelect
          label="Locale"
          value={locale}
          options={[{ value: '', label: 'browser' }, ...offered.map((value) => ({ value }))]}
          onChange={(next) => settings.change({ locale: next })}
        />
        <LabelledSelect<MessageOffer>
          label="Messages"
          title="Offered: the app may send messages and tell a model what to know; in the workbench no model reads them. Withheld: the app finds itself in a host that offers neither."
          value={messages}
          options={messageOffers.map((value) => ({ value }))}
          onChange={(next) => settings.change({ messages: next })}
        />
        <LabelledSelect<StorageName>
          label="Storage"
          title="How long what the app stores lasts. None: its origin is opaque, as in some hosts, and every use of storage throws."
          value={storage}
          options={storages.map((value) => ({ value }))}
          onChange={(next) => settings.change({ storage: next })}
        />
      </div>
    </div>
  );
};
