package winnow.cluster;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks once a second if a node that leads can do so. The engine notices a leader that others do
/// not hear, but neither one whose disk stands still nor one whose change of the nodes cannot end.
/// Such a leader gives its lead up; where even that does not work, the node has failed.
final class LeadWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeadWatch.class);
    private static final long PERIOD_SECONDS = 1;

    /// Longest time that writes of a disk may take.
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ReplicatedTables tables;
    private final Membership membership;
    private final LeadTransfer transfer;
    private final Lead lead;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("winnow-lead-watch").factory());

    /// The lead of this node.
    interface Lead {
        boolean isHeld();

        /// Follows again. Blocks, for some seconds at most.
        void giveUp();

        /// The lead could not be given up.
        void onFailed(Throwable cause);
    }

    LeadWatch(ReplicatedTables tables, Membership membership, LeadTransfer transfer, Lead lead) {
        this.tables = tables;
        this.membership = membership;
        this.transfer = transfer;
        this.lead = lead;
    }

    void start() {
        thread.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            if (!lead.isHeld()) {
                return;
            }
            if (isStalled()) {
                LOG.error(
                        "The disk has written nothing for {} s: leaves the lead to another node",
                        TimeUnit.NANOSECONDS.toSeconds(tables.stalledNanos()));
                transfer.runToNearest();
                giveUp(this::isStalled);
            } else if (membership.isStuck()) {
                LOG.error("The change of the nodes cannot end: gives the lead up");
                giveUp(membership::isStuck);
            }
        } catch (RuntimeException e) {
            LOG.warn("Could not look after the lead", e);
        }
    }

    private boolean isStalled() {
        return tables.stalledNanos() > STALLED_NANOS;
    }

    private void giveUp(BooleanSupplier hindered) {
        if (lead.isHeld()) {
            lead.giveUp();
        }
        if (lead.isHeld() && hindered.getAsBoolean()) {
            lead.onFailed(new IllegalStateException("the lead could not be given up"));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
