// What happens, as server-sent events. The browser reconnects by itself and says what it saw last.

const TOPICS = ["camera", "motion", "reading", "game", "event", "claim", "trouble"];

export function listen(handlers, onstate) {
  let source = null;
  const open = () => {
    source = new EventSource("/api/events");
    source.addEventListener("open", () => onstate(true));
    source.addEventListener("error", () => {
      onstate(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 2000); // refused: the service is starting, or we must join again
    });
    for (const topic of TOPICS) source.addEventListener(topic, (event) => handlers[topic]?.(JSON.parse(event.data)));
  };
  open();
  return () => source.close();
}
