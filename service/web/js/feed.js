// The camera's picture over a WebSocket: each frame is asked for when the last is on the screen.

const PAUSES = [500, 1000, 2000, 4000];

export function startFeed(paint, onstate) {
  let attempt = 0;
  let stopped = false;
  let socket = null;

  function connect() {
    if (stopped) return;
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/frames`);
    socket.binaryType = "blob";
    socket.addEventListener("message", async (event) => {
      attempt = 0;
      try {
        const bitmap = await createImageBitmap(event.data);
        paint(bitmap);
        bitmap.close();
        onstate(true);
      } catch { /* a frame that cannot be shown is passed over */ }
      const next = () => { if (socket.readyState === WebSocket.OPEN) socket.send("1"); };
      document.hidden ? setTimeout(next, 1000) : requestAnimationFrame(next);
    });
    socket.addEventListener("close", () => {
      onstate(false);
      setTimeout(connect, PAUSES[Math.min(attempt++, PAUSES.length - 1)]);
    });
  }

  connect();
  return () => { stopped = true; socket?.close(); };
}
