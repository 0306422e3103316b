import { Component, type ReactNode } from "react";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";

type Props = {
  children: ReactNode;
  /** Around what is shown instead of the children. */
  renderAround?: (failure: ReactNode) => ReactNode;
};

/**
 * Catches what goes wrong inside a dialog, so that the page around it stays. A form's values are kept outside of its
 * fields, so they are back after a retry.
 */
export class DialogBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { children, renderAround = (failure) => failure } = this.props;
    if (!this.state.failed) return children;
    return renderAround(
      <ErrorState
        title="We couldn't show this dialog"
        detail="Something went wrong on our side. What you typed is still here. Try again."
        onRetry={() => this.setState({ failed: false })}
      />,
    );
  }
}
