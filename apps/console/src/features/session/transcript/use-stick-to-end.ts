"use client";

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

const AT_END_PX = 48;

/**
 * Keeps a scroller at its end while content grows, until the reader scrolls up.
 *
 * Only a movement upwards lets go, so that growth itself, which also moves the end away, never
 * does.
 *
 * @param isEnd whether the last row is the newest there is; no other end holds the reader
 * @param beginsAtEnd whether the reader came for the newest
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  isEnd: boolean,
  beginsAtEnd: boolean,
) {
  const [isAtEnd, setAtEnd] = useState(beginsAtEnd);
  const sticks = useRef(beginsAtEnd);
  const lastTop = useRef(0);

  const settle = useCallback(() => {
    const element = scroller.current;
    if (element && sticks.current) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const gap = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (gap < AT_END_PX) sticks.current = isEnd;
    else if (element.scrollTop < lastTop.current) sticks.current = false;
    lastTop.current = element.scrollTop;
    setAtEnd(sticks.current);
  }, [scroller, isEnd]);

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    settle();
  }, [settle]);

  // After each commit: rows may have come or grown.
  useLayoutEffect(settle);

  return { isAtEnd, onScroll, settle, toEnd };
}
