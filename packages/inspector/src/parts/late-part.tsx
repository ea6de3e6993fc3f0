import { Component, Suspense, type ReactNode } from 'react';

interface LatePartProps {
  readonly name: string;
  /** Waits without a word; for parts that may be empty anyway. */
  readonly quiet?: boolean;
  readonly children: ReactNode;
}

/** A part of the page whose code comes when it is needed first; says so when it does not come. */
export class LatePart extends Component<LatePartProps, { readonly problem?: string }> {
  override state: { readonly problem?: string } = {};

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { name, quiet, children } = this.props;
    const { problem } = this.state;
    if (problem === undefined)
      return (
        <Suspense fallback={quiet ? null : <p className="quiet late">Loading {name}…</p>}>
          {children}
        </Suspense>
      );
    return (
      <div className="late" role="alert">
        <p className="error-text">
          {name} could not be shown: {problem.slice(0, 300)}
        </p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
}
