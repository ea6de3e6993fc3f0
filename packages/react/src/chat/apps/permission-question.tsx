import { toPrintable } from '@casement/protocol/basics';
import { useId, useLayoutEffect, useRef } from 'react';
import { AnswerButton } from '../controls/answer-button.js';
import { focusComposer } from '../controls/composer-focus.js';
import { useArmed } from '../controls/use-armed.js';
import { useWords } from '../host/use-words.js';
import type { GrantAnswer } from './app-grants.js';
import type { AppPermissions } from './use-app-permissions.js';

/** Asks whether an app may use what it declares. It waits beside the app, which runs without it until a yes (T8). */
export const PermissionQuestion = ({
  title,
  server,
  permissions: { asked, answer },
}: {
  readonly title: string;
  readonly server: string;
  readonly permissions: AppPermissions;
}) => {
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const armed = useArmed(place);
  // It goes away with its answer, and the focus would with it.
  useLayoutEffect(() => {
    const question = place.current;
    return () => {
      if (question?.contains(document.activeElement)) focusComposer(question);
    };
  }, []);
  const name = toPrintable(server, 80);
  const toButton = (to: GrantAnswer, label: string) => (
    <AnswerButton armed={armed} isYes={to !== 'no'} label={label} onAnswer={() => answer(to)} />
  );
  return (
    <div
      ref={place}
      className="casement-permission"
      // The host's focus guard keeps the keyboard here against apps.
      data-mcp-question=""
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-whose`}
    >
      <p id={`${id}-title`} className="casement-question-title">
        {words.permissionTitle(asked)}
      </p>
      <p id={`${id}-whose`}>{words.permissionOf(toPrintable(title, 120), name)}</p>
      <div className="casement-answers">
        {toButton('no', words.deny)}
        {toButton('once', words.allowOnce)}
        {toButton('always', words.allowAlways)}
      </div>
      <p className="casement-note">{words.permissionReach(name)}</p>
    </div>
  );
};
