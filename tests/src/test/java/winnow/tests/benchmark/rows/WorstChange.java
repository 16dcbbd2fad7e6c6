package winnow.tests.benchmark.rows;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;

/// Measures which single addition or removal takes longest while an index grows to many selectors
/// and is emptied again. Each is done several times and its shortest duration counts, so that only
/// what belongs to the change remains, such as a table that grows; changes during which garbage was
/// collected do not count. Prints a table.
///
/// Usage: `WorstChange [KIND[,KIND] [COUNT[,COUNT]]]`.
public final class WorstChange {

    private static final int ROUNDS = 3;

    /// What the selectors are made of.
    private enum Kind {
        STRINGS {
            @Override
            String selector(int i, Random random) {
                return "symbol = 's" + i + "'";
            }
        },
        NUMBERS {
            @Override
            String selector(int i, Random random) {
                return "number = " + i;
            }
        },
        RANGES {
            @Override
            String selector(int i, Random random) {
                int low = random.nextInt(1_000_000_000);
                return "number BETWEEN " + low + " AND " + (low + 1 + random.nextInt(1_000));
            }
        },
        PREFIXES {
            @Override
            String selector(int i, Random random) {
                return "text LIKE 'p" + i + "x%'";
            }
        },
        ONE_PREFIX {
            @Override
            String selector(int i, Random random) {
                return "text LIKE 'prefix_" + i + "'";
            }
        },
        TEXTS {
            @Override
            String selector(int i, Random random) {
                return "text LIKE '%t" + i + "x%'";
            }
        },
        SCANNED {
            @Override
            String selector(int i, Random random) {
                return "number * 2 > " + i;
            }
        },
        NAMES {
            @Override
            String selector(int i, Random random) {
                return "n" + i + " = 'a'";
            }
        },
        HUNDRED_NAMES {
            @Override
            String selector(int i, Random random) {
                return names(i, 100);
            }
        },
        THOUSANDS_OF_NAMES {
            @Override
            String selector(int i, Random random) {
                return names(i, 4_000);
            }
        },
        SHARED_KEY {
            @Override
            String selector(int i, Random random) {
                return "region = 'EU' AND a" + random.nextInt(9) + " > " + i + " AND b <> 'x'";
            }
        };

        private static String names(int i, int count) {
            return IntStream.range(0, count)
                    .mapToObj(name -> "n" + (i * count + name) + "=1")
                    .collect(Collectors.joining(" OR "));
        }

        abstract String selector(int i, Random random);
    }

    private WorstChange() {}

    public static void main(String[] arguments) {
        List<Kind> kinds =
                arguments.length > 0
                        ? Arrays.stream(arguments[0].split(",", -1)).map(Kind::valueOf).toList()
                        : List.of(Kind.values());
        int[] counts =
                arguments.length > 1
                        ? Arrays.stream(arguments[1].split(",", -1))
                                .mapToInt(Integer::parseInt)
                                .toArray()
                        : new int[] {100_000, 1_000_000};
        // Named by themselves only: so many of these need more memory than the others.
        kinds =
                kinds.stream()
                        .filter(kind -> arguments.length > 0 || !kind.name().endsWith("_NAMES"))
                        .toList();
        System.out.println("| selectors | n | add µs | worst | at | remove µs | worst | at |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (Kind kind : kinds) {
            for (int count : counts) {
                measure(kind, count);
            }
        }
    }

    private static void measure(Kind kind, int count) {
        Random random = new Random(1);
        List<Selector> selectors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            selectors.add(Selector.parse(kind.selector(i, random)).canonical());
        }
        long[] adding = new long[count];
        long[] removing = new long[count];
        Arrays.fill(adding, Long.MAX_VALUE);
        Arrays.fill(removing, Long.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            SelectorIndex<String> index = new SelectorIndex<>(1);
            List<SubscriberHandle<String>> entries = new ArrayList<>(count);
            time(adding, i -> entries.add(index.add(selectors.get(i), "")));
            time(removing, i -> index.remove(entries.get(i)));
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %s | %s |%n",
                kind,
                count,
                summary(adding),
                summary(removing));
    }

    @FunctionalInterface
    private interface Change {
        void make(int i);
    }

    private static void time(long[] shortest, Change change) {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        for (int i = 0; i < shortest.length; i++) {
            long begin = System.nanoTime();
            change.make(i);
            long nanos = System.nanoTime() - begin;
            if (nanos < shortest[i] && (nanos < 100_000 || !collected(collectors))) {
                shortest[i] = nanos;
            }
        }
    }

    private static long collections;

    /// True if garbage was collected since the last call.
    private static boolean collected(List<GarbageCollectorMXBean> collectors) {
        long now = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            now += collector.getCollectionCount();
        }
        boolean collected = now != collections;
        collections = now;
        return collected;
    }

    private static String summary(long[] shortest) {
        int worst = 0;
        double sum = 0;
        int known = 0;
        for (int i = 0; i < shortest.length; i++) {
            if (shortest[i] == Long.MAX_VALUE) {
                continue;
            }
            known++;
            sum += shortest[i];
            if (shortest[worst] == Long.MAX_VALUE || shortest[i] > shortest[worst]) {
                worst = i;
            }
        }
        return String.format(
                Locale.ROOT,
                "%.2f | %,.0f | %,d",
                sum / known / 1_000,
                shortest[worst] / 1_000.0,
                worst);
    }
}
