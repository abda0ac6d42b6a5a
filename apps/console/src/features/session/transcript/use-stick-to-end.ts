"use client";

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

const AT_END_PX = 48;

/**
 * Keeps a scroller at its end while content grows, until the reader scrolls up.
 *
 * Only a movement upwards lets go, so that growth itself, which also moves the end away, never
 * does.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>) {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  const lastTop = useRef(0);

  const settle = useCallback(() => {
    const element = scroller.current;
    if (element && sticks.current) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const gap = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (gap < AT_END_PX) sticks.current = true;
    else if (element.scrollTop < lastTop.current) sticks.current = false;
    lastTop.current = element.scrollTop;
    setAtEnd(sticks.current);
  }, [scroller]);

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    settle();
  }, [settle]);

  // After each commit: rows may have come or grown.
  useLayoutEffect(settle);

  return { isAtEnd, onScroll, settle, toEnd };
}
