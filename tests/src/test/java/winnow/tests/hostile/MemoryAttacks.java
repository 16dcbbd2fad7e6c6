package winnow.tests.hostile;

import java.util.concurrent.TimeUnit;
import winnow.wire.Protocol;
import winnow.wire.frame.ControlFrame;

/// Attacks that make the broker keep something.
final class MemoryAttacks {
    private static final int MUCH = 1 << 30;

    private MemoryAttacks() {}

    static void largeNumbers(Intruders intruders) throws InterruptedException {
        intruders.each(
                200,
                (peer, _) -> {
                    peer.open(Protocol.MAX_ID, "hostile-large");
                    peer.subscribe(Protocol.MAX_ID, "hostile-large", "", 0);
                    peer.awaitAnswers(2);
                });
    }

    static void noCredit(Intruders intruders) throws InterruptedException {
        int perConnection = 5_000;
        intruders.each(
                8,
                (peer, _) -> {
                    for (int id = 1; id <= perConnection; id++) {
                        peer.subscribe(id, "hostile-credit", "", 0);
                    }
                    peer.awaitAnswers(perConnection);
                });
        intruders.each(
                1,
                (peer, _) -> {
                    peer.open(1, "hostile-credit");
                    peer.publish(1, "", 1);
                    for (int i = 0; i < 100 && peer.publish(1, "", 1000); i++) {}
                });
    }

    static void largeMessage(Intruders intruders) throws InterruptedException {
        intruders.each(
                64,
                (peer, _) -> {
                    peer.subscribe(1, "hostile-message", "", 0);
                    peer.awaitAnswers(1);
                });
        intruders.each(
                1,
                (peer, _) -> {
                    peer.open(1, "hostile-message");
                    peer.publish(1, "", peer.maxFrameBytes() - 64);
                });
    }

    static void blockedProducers(Intruders intruders) throws InterruptedException {
        intruders.each(
                1,
                (peer, _) -> {
                    peer.subscribe(1, "hostile-blocked", "", 0);
                    peer.awaitAnswers(1);
                });
        intruders.each(
                1,
                (peer, _) -> {
                    peer.open(1, "hostile-blocked");
                    for (int i = 0; i < 100 && peer.publish(1, "", 64 * 1024); i++) {}
                });
        int perConnection = 1_000;
        intruders.each(
                120,
                (peer, _) -> {
                    for (int handle = 1; handle <= perConnection; handle++) {
                        peer.open(handle, "hostile-blocked");
                    }
                    peer.awaitAnswers(perConnection);
                });
    }

    static void names(Intruders intruders) throws InterruptedException {
        intruders.each(
                100,
                (peer, _) -> {
                    peer.subscribe(1, "hostile-names", "", MUCH);
                    peer.awaitAnswers(1);
                    peer.stopReading();
                });
        String padding = "n".repeat(200);
        intruders.each(
                4,
                (peer, number) -> {
                    for (int i = 0; i < 20_000; i++) {
                        peer.send(new ControlFrame.Intern(padding + number + "_" + i));
                    }
                    peer.open(1, "hostile-names");
                    peer.awaitAnswers(1);
                    for (int i = 0; i < 100 && peer.publish(1, "value", 10); i++) {}
                });
        TimeUnit.SECONDS.sleep(1);
    }
}
