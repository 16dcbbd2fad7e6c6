package winnow.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks once a second how much room the disk of this node has. A node that leads and refuses
/// messages for some seconds, because its disk is nearly full, shall leave the lead to a node whose
/// disk has ample room; if there is none, it stays. On a thread of its own, because a disk may not
/// answer. Thread-safe.
final class RoomWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoomWatch.class);
    private static final long PERIOD_SECONDS = 1;

    /// Looks, one after the other, that find the disk full before another node shall lead.
    private static final int FULL_LOOKS = 5;

    /// Looks until the other nodes are asked again, if none had room.
    private static final int AGAIN_LOOKS = 10;

    /// Looks until the lead is moved again, if this node still has it then, or has it once more.
    private static final int MOVED_LOOKS = 60;

    /// Age from which on the last look counts for nothing: the disk does not answer.
    private static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RaftServer server;
    private final RaftGroupId group;
    private final ClusterNodeOptions options;
    private final LeadTransfer transfer;
    private final Consumer<String> onFull;
    private final Runnable onFollowing;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("winnow-room").factory());

    private volatile Look last = new Look(DiskRoom.SCARCE, System.nanoTime());

    /// Looks that found the disk full, less those to wait for. Of the watching thread.
    private int full;

    private boolean told;
    private boolean led;

    private record Look(DiskRoom room, long nanos) {}

    /// @param onFull told which node shall lead in place of this one
    /// @param onFollowing told that this node has led and follows, with room on its disk
    RoomWatch(
            RaftServer server,
            RaftGroupId group,
            ClusterNodeOptions options,
            LeadTransfer transfer,
            Consumer<String> onFull,
            Runnable onFollowing) {
        this.server = server;
        this.group = group;
        this.options = options;
        this.transfer = transfer;
        this.onFull = onFull;
        this.onFollowing = onFollowing;
    }

    void start() {
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /// Room as it was read last, for other nodes.
    Message answer() {
        Look now = last;
        DiskRoom room = System.nanoTime() - now.nanos > OLD_NANOS ? DiskRoom.SCARCE : now.room;
        return Message.valueOf(room.name());
    }

    private void look() {
        try {
            DiskRoom room = options.room().get();
            last = new Look(room, System.nanoTime());
            Optional<LeaderView> view =
                    LeaderView.of(server, group, 2 * options.electionTimeout().toMillis());
            if (view.isPresent()) {
                led = true;
            } else if (led && room != DiskRoom.FULL) {
                led = false;
                onFollowing.run();
            }
            if (room != DiskRoom.FULL) {
                full = Math.min(full, 0);
                told = false;
            }
            if (full < 0 || (room == DiskRoom.FULL && view.isPresent())) {
                full++;
            }
            if (full >= FULL_LOOKS && view.isPresent()) {
                move(view.get());
            }
        } catch (RuntimeException e) {
            LOG.warn("Could not look for the room on the disk", e);
        }
    }

    /// Moves the lead if most nodes have room: this one refuses messages, but what another leader
    /// takes is written on the nodes that are full, too.
    private void move(LeaderView view) {
        List<String> roomy = new ArrayList<>();
        int notFull = 0;
        for (String name : view.names()) {
            DiskRoom room = name.equals(view.self()) ? DiskRoom.FULL : ask(view, name);
            notFull += room == DiskRoom.FULL ? 0 : 1;
            if (room == DiskRoom.AMPLE) {
                roomy.add(name);
            }
        }
        Optional<String> next =
                2 * notFull > view.names().size()
                        ? roomy.stream().filter(this::couldLead).findFirst()
                        : Optional.empty();
        full = FULL_LOOKS - (next.isPresent() ? MOVED_LOOKS : AGAIN_LOOKS);
        if (next.isPresent()) {
            LOG.warn(
                    "The disk is nearly full: leaves the lead to node {}, whose disk has room",
                    next.get());
            onFull.accept(next.get());
        } else if (!told) {
            told = true;
            LOG.warn(
                    "The disk is nearly full, and there is no node that could lead with room on"
                            + " most nodes");
        }
    }

    private boolean couldLead(String name) {
        try {
            transfer.check(name);
            return true;
        } catch (ClusterChangeException e) {
            LOG.info("Node {} cannot take the lead over: {}", name, e.toString());
            return false;
        }
    }

    /// Room on the disk of another node; full if it does not say.
    private DiskRoom ask(LeaderView view, String name) {
        try {
            RaftPeer peer = view.member(name).orElseThrow(LeaderView::notLeading);
            RaftClientReply reply =
                    PeerQuestion.ask(
                            group,
                            options,
                            peer,
                            client -> client.io().sendStaleRead(Message.EMPTY, 0, peer.getId()));
            return reply.isSuccess()
                    ? DiskRoom.valueOf(
                            reply.getMessage().getContent().toString(StandardCharsets.UTF_8))
                    : DiskRoom.FULL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DiskRoom.FULL;
        } catch (ClusterChangeException
                | ExecutionException
                | TimeoutException
                | IllegalArgumentException e) {
            LOG.info("Node {} does not say how much room it has: {}", name, e.toString());
            return DiskRoom.FULL;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
