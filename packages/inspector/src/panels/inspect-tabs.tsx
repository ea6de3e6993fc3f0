import { lazy, useRef, type KeyboardEvent } from 'react';
import { tabs, type TabName } from '../address/view-settings.js';
import { AfterDraw } from '../parts/after-draw.js';
import { LatePart } from '../parts/late-part.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const names: Record<TabName, string> = {
  timeline: 'Timeline',
  console: 'Console',
  state: 'State',
  security: 'Security',
  model: 'Model',
};

const toNextTab = (tab: TabName, key: string): TabName | undefined => {
  const at = tabs.indexOf(tab);
  const target: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1 + tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  const index = target[key];
  return index === undefined ? undefined : tabs[index % tabs.length];
};

const InspectPanel = lazy(async () => ({ default: (await import('./inspect-panel.js')).InspectPanel }));
const AppChoice = lazy(async () => ({ default: (await import('./app-choice.js')).AppChoice }));

/** The right-hand side: one tab at a time, moved between by the arrow keys. */
export const InspectTabs = () => {
  const { settings, chat } = useInspector();
  const room = useValue(chat);
  const view = usePart(settings, (state) => state.view);
  const tab = usePart(settings, (view) => view.tab);
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = toNextTab(tab, event.key);
    if (!next) return;
    event.preventDefault();
    settings.change({ tab: next });
    bar.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <>
      {room && view === 'chat' && (
        <LatePart name="the choice of apps" quiet>
          <AppChoice room={room} />
        </LatePart>
      )}
      <div ref={bar} className="tabs" role="tablist" aria-label="Inspect" onKeyDown={onKeyDown}>
        {tabs.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls="inspect-panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => settings.change({ tab: name })}
          >
            {names[name]}
          </button>
        ))}
      </div>
      <div id="inspect-panel" className="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <AfterDraw>
          <LatePart name="the panel" quiet>
            <InspectPanel tab={tab} />
          </LatePart>
        </AfterDraw>
      </div>
    </>
  );
};
