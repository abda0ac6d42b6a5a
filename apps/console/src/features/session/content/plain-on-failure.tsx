"use client";

import { Component, type ReactNode } from "react";

type PlainOnFailureProps = { plain: ReactNode; children: ReactNode };

/**
 * Shows `plain` where drawing its children fails. What an agent wrote must never take the page with
 * it, whatever the parser makes of it.
 */
export class PlainOnFailure extends Component<PlainOnFailureProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.plain : this.props.children;
  }
}
