// What the lock screen shows, and its keys. A live stream cannot be sought there, a recording can.
// "Previous" and "next" go by sentences where the page offers that.

const ARTWORK = [
  { src: "/web/mark.png", sizes: "256x256", type: "image/png" },
  { src: "/web/mark-512.png", sizes: "512x512", type: "image/png" },
];
const STEP_S = 10;

/**
 * Ties the system's media keys to a player.
 * @param describe gives {title, artist} of what plays.
 * @param replaying `step(by)` goes sentences back or on; `length_ms()` of what plays, 0 where that is not known.
 */
export function mediaSession(player, describe, source, { step: sentences = null, length_ms = () => 0 } = {}) {
  if (!("mediaSession" in navigator)) return;
  const session = navigator.mediaSession;
  session.setActionHandler("play", () => player.play(player.source ?? source()));
  session.setActionHandler("pause", () => player.pause());
  session.setActionHandler("stop", () => player.pause());
  player.addEventListener("state", update);

  function update() {
    session.metadata = new MediaMetadata({ ...describe(), artwork: ARTWORK });
    session.playbackState = player.active ? "playing" : player.state === "idle" ? "none" : "paused";
    const file = player.source?.kind === "file";
    session.setActionHandler("seekto", file ? (event) => player.seek(event.seekTime * 1000) : null);
    session.setActionHandler("seekbackward", file ? (event) => step(-(event.seekOffset ?? STEP_S)) : null);
    session.setActionHandler("seekforward", file ? (event) => step(event.seekOffset ?? STEP_S) : null);
    const replays = sentences !== null && player.source !== null && player.source.kind !== "live";
    session.setActionHandler("previoustrack", replays ? () => sentences(-1) : null);
    session.setActionHandler("nexttrack", replays ? () => sentences(1) : null);
    tellPosition(file ? length_ms() : 0);
  }

  function tellPosition(length_ms) {
    const position_ms = Math.min(player.position_ms, length_ms);
    session.setPositionState(length_ms > 0 ? { duration: length_ms / 1000, position: position_ms / 1000 } : undefined);
  }

  function step(seconds) {
    player.seek(Math.max(0, player.position_ms + seconds * 1000));
  }

  return update;
}
