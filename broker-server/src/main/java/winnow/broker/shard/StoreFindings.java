package winnow.broker.shard;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import winnow.store.Table;

/// Counts rows and damage while a log is read. Owned by the thread that reads it.
final class StoreFindings {
    private static final int MAX_TOLD = 100;

    private final StoreCheck.Progress progress;
    private final Map<Table, long[]> rows = new EnumMap<>(Table.class);
    private final List<String> damages = new ArrayList<>();
    private final List<String> quarantines = new ArrayList<>();
    private long damaged;
    private long quarantined;
    private long read;

    StoreFindings(StoreCheck.Progress progress) {
        this.progress = progress;
    }

    void onTable(Table table) {
        rows.put(table, new long[2]);
    }

    void onRow(Table table, byte[] key, byte[] row) {
        long[] sum = rows.get(table);
        if (sum == null) {
            throw new IllegalStateException("table " + table + " has not been announced");
        }
        sum[0]++;
        sum[1] += key.length + row.length;
        progress.onRows(table, ++read);
    }

    void onDamage(String what) {
        damaged++;
        if (damages.size() < MAX_TOLD) {
            damages.add(what);
        }
    }

    void onQuarantine(String what) {
        quarantined++;
        if (quarantines.size() < MAX_TOLD) {
            quarantines.add(what);
        }
    }

    StoreReport report(
            List<StoreReport.Destination> destinations,
            List<StoreReport.Subscription> subscriptions) {
        Map<Table, StoreReport.Rows> tables = new EnumMap<>(Table.class);
        rows.forEach((table, sum) -> tables.put(table, new StoreReport.Rows(sum[0], sum[1])));
        long[] prepared = rows.getOrDefault(Table.PREPARED, new long[2]);
        return new StoreReport(
                tables,
                destinations,
                subscriptions,
                prepared[0],
                damaged,
                List.copyOf(damages),
                quarantined,
                List.copyOf(quarantines));
    }
}
