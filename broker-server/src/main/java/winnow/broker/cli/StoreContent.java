package winnow.broker.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import winnow.broker.shard.StoreReport;
import winnow.store.Table;
import winnow.wire.Printable;

/// Findings about a store, as text or JSON. Immutable.
///
/// @param fileBytes what the data files of each table take on the disk
/// @param damagedFile what is wrong with the data files, if it is known
record StoreContent(
        Path store, Map<Table, Long> fileBytes, StoreReport report, Optional<String> damagedFile) {

    boolean sound() {
        return report.sound() && damagedFile.isEmpty();
    }

    /// Rows and sizes of each table.
    void printTables(PrintWriter out) {
        out.printf(Locale.ROOT, "%-14s %14s %16s %16s%n", "TABLE", "ROWS", "BYTES", "ON DISK");
        for (Table table : Table.values()) {
            StoreReport.Rows rows = report.tables().get(table);
            out.printf(
                    Locale.ROOT,
                    "%-14s %14s %16s %16s%n",
                    table.name().toLowerCase(Locale.ROOT),
                    rows == null ? "-" : grouped(rows.rows()),
                    rows == null ? "-" : grouped(rows.bytes()),
                    grouped(onDisk(table)));
        }
    }

    /// Prints what waits in each destination and for each durable subscription.
    void printMessages(PrintWriter out) {
        out.printf(Locale.ROOT, "%n%14s %16s  %s%n", "MESSAGES", "BYTES", "DESTINATION");
        for (StoreReport.Destination one : report.destinations()) {
            out.printf(
                    Locale.ROOT,
                    "%14s %16s  %s %s%n",
                    grouped(one.messages()),
                    grouped(one.bytes()),
                    kind(one),
                    Printable.line(one.name()));
        }
        out.printf(Locale.ROOT, "%n%14s %16s  %s%n", "MESSAGES", "BYTES", "DURABLE SUBSCRIPTION");
        for (StoreReport.Subscription one : report.subscriptions()) {
            out.printf(
                    Locale.ROOT,
                    "%14s %16s  %s of topic %s%n",
                    grouped(one.messages()),
                    grouped(one.bytes()),
                    Printable.line(one.name()),
                    Printable.line(one.topic()));
        }
        out.printf(Locale.ROOT, "%nprepared transactions: %s%n", grouped(report.prepared()));
    }

    /// Prints what is damaged, and what has been put aside; then whether it is sound.
    void printDamage(PrintWriter out) {
        out.println();
        report.quarantines().forEach(one -> out.println("put aside: " + Printable.line(one)));
        tellMore(out, report.quarantined() - report.quarantines().size());
        damagedFile.ifPresent(one -> out.println("damaged: " + Printable.line(one)));
        report.damages().forEach(one -> out.println("damaged: " + Printable.line(one)));
        tellMore(out, report.damaged() - report.damages().size());
        out.println(sound() ? "sound" : "damaged");
    }

    private static void tellMore(PrintWriter out, long more) {
        if (more > 0) {
            out.println("  and " + grouped(more) + " more");
        }
    }

    /// With whether it is sound, after everything was read.
    ObjectNode verifiedJson() {
        return json().put("sound", sound());
    }

    ObjectNode json() {
        ObjectNode root = SelectorCommand.JSON.createObjectNode();
        root.put("store", store.toString());
        ObjectNode tables = root.putObject("tables");
        for (Table table : Table.values()) {
            ObjectNode node = tables.putObject(table.name().toLowerCase(Locale.ROOT));
            StoreReport.Rows rows = report.tables().get(table);
            if (rows != null) {
                node.put("rows", rows.rows()).put("bytes", rows.bytes());
            }
            node.put("fileBytes", onDisk(table));
        }
        ArrayNode destinations = root.putArray("destinations");
        for (StoreReport.Destination one : report.destinations()) {
            destinations
                    .addObject()
                    .put("kind", kind(one))
                    .put("name", one.name())
                    .put("messages", one.messages())
                    .put("bytes", one.bytes());
        }
        ArrayNode subscriptions = root.putArray("subscriptions");
        for (StoreReport.Subscription one : report.subscriptions()) {
            subscriptions
                    .addObject()
                    .put("topic", one.topic())
                    .put("name", one.name())
                    .put("messages", one.messages())
                    .put("bytes", one.bytes());
        }
        root.put("prepared", report.prepared());
        addDamage(root);
        return root;
    }

    private void addDamage(ObjectNode root) {
        root.put("quarantined", report.quarantined());
        ArrayNode quarantines = root.putArray("quarantines");
        report.quarantines().forEach(quarantines::add);
        root.put("damaged", report.damaged());
        ArrayNode damages = root.putArray("damages");
        report.damages().forEach(damages::add);
        damagedFile.ifPresent(one -> root.put("damagedFile", one));
    }

    private long onDisk(Table table) {
        return fileBytes.getOrDefault(table, 0L);
    }

    private static String kind(StoreReport.Destination one) {
        return one.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
