package winnow.broker.session;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// Finds out whether the client of one connection is still there: it must say something, read what
/// it is sent, finish a frame whose room others wait for, and come with another token when its own
/// ends. Sends heartbeats. Owned by the connection's event loop.
final class Liveness {
    /// Time for a frame to arrive whole while others wait for its room.
    private static final int FRAME_MILLIS = 30_000;

    private final Output output;
    private final LongSupplier unreadMillis;
    private final BooleanSupplier ended;
    private final GivingUp givingUp;
    private int heartbeatTicks;
    private int silentTicks;
    private int quietTicks;
    private int stuckTicks;
    private long lastProgress;
    private int frameTicks;
    private long lastFrame;

    /// Closes the connection.
    @FunctionalInterface
    interface GivingUp {
        void goodbye(ErrorCode code, String reason);
    }

    /// @param unreadMillis how long a full socket may take nothing, 0 for ever
    /// @param ended whether the proof of the user is not valid any more
    Liveness(Output output, LongSupplier unreadMillis, BooleanSupplier ended, GivingUp givingUp) {
        this.ended = ended;
        this.output = output;
        this.unreadMillis = unreadMillis;
        this.givingUp = givingUp;
    }

    /// The handshake is done.
    ///
    /// @param heartbeatMillis longest silence of either side, 0 for any
    void begin(int heartbeatMillis) {
        heartbeatTicks = heartbeatMillis / ClientConnection.TICK_MILLIS;
    }

    /// Called every [ClientConnection#TICK_MILLIS] while the connection is open.
    void onTick() {
        long limitMillis = unreadMillis.getAsLong();
        if (isStuck(limitMillis)) {
            givingUp.goodbye(
                    ErrorCode.HEARTBEAT_TIMEOUT,
                    "expected the client to read, but its socket took nothing for "
                            + limitMillis
                            + " ms (session.unread-timeout)");
        } else if (ended.getAsBoolean()) {
            givingUp.goodbye(
                    ErrorCode.CREDENTIALS_EXPIRED,
                    "the token, certificate or login by the directory has ended by which the client"
                            + " came; it may come back with another one");
        } else if (isInTheWay()) {
            givingUp.goodbye(
                    ErrorCode.LIMIT_EXCEEDED,
                    "expected a whole frame within "
                            + FRAME_MILLIS
                            + " ms, because others wait for its room in transport.frame-buffer,"
                            + " found a part of it");
        } else if (heartbeatTicks > 0) {
            beat();
        }
    }

    /// A client that does not read is not taken for silent, but only for so long. One that has
    /// taken all waits for the broker, to copy the next piece of a large message.
    private boolean isStuck(long limitMillis) {
        long progress = output.socketProgress();
        boolean stuck = !output.writable() && progress != 0 && progress == lastProgress;
        lastProgress = progress;
        stuckTicks = stuck ? stuckTicks + 1 : 0;
        return limitMillis > 0 && (long) stuckTicks * ClientConnection.TICK_MILLIS >= limitMillis;
    }

    /// A frame that has been begun has room for all of it, and not for ever where others wait for
    /// that room.
    private boolean isInTheWay() {
        long frame = output.input().contendedFrame();
        boolean same = frame != 0 && frame == lastFrame && output.input().isReading();
        frameTicks = same ? frameTicks + 1 : 0;
        lastFrame = frame;
        return frameTicks * ClientConnection.TICK_MILLIS >= FRAME_MILLIS;
    }

    /// Sends a heartbeat if the broker was quiet, gives the connection up if the client was.
    private void beat() {
        if (!output.input().isReading()) {
            // Whether a client that is not read is silent nobody knows.
            silentTicks = 0;
        }
        if (!output.writable()) {
            return;
        }
        quietTicks = output.wroteSinceLastAsked() ? 0 : quietTicks + 1;
        silentTicks = output.input().readSinceLastAsked() ? 0 : silentTicks + 1;
        if (silentTicks > 2 * heartbeatTicks) {
            givingUp.goodbye(
                    ErrorCode.HEARTBEAT_TIMEOUT,
                    "expected a frame within "
                            + 2 * heartbeatTicks * ClientConnection.TICK_MILLIS
                            + " ms (twice the heartbeat, session.heartbeat at most), found none: is"
                            + " the process suspended, or its machine lost?");
        } else if (quietTicks >= heartbeatTicks - 1) {
            output.write(new ControlFrame.Heartbeat());
        }
    }
}
