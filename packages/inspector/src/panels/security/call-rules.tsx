import { Section } from '../parts/section.js';

/** Which calls of tools are asked about; the same words as the policy that decides. */
export const CallRules = () => (
  <Section title="Calls of tools">
    <ul className="call-rules">
      <li>
        <strong>The model:</strong> a tool that does not say <code>readOnlyHint: true</code> is asked about,
        unless <em>Run tools without asking</em> is on in the chat.
      </li>
      <li>
        <strong>An app, a tool of its own server:</strong> asked about when the tool says{' '}
        <code>destructiveHint: true</code>, or <code>readOnlyHint: false</code> without{' '}
        <code>destructiveHint: false</code>.
      </li>
      <li>
        <strong>An app, a tool without annotations:</strong> runs, is recorded, and is a finding in State.
      </li>
    </ul>
    <p className="panel-note">
      Annotations are a server’s own words, which nobody checks. Where they contradict each other or cannot be
      read, the stricter reading counts. What was answered for always holds without a question, and after a no
      the same call of the same app is refused without one.
    </p>
  </Section>
);
