// What the lock screen shows, and its keys. A live stream cannot be sought there, a recording can.

const ARTWORK = [{ src: "/web/mark.png", sizes: "256x256", type: "image/png" }];
const STEP_S = 10;

/** Ties the system's media keys to a player; `describe` gives {title, artist} of what plays. */
export function mediaSession(player, describe, source) {
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
  }

  function step(seconds) {
    player.seek(Math.max(0, player.position_ms + seconds * 1000));
  }

  return update;
}
